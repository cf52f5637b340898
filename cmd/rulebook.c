#include "rulebook.h"

#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 78 };

/* A paragraph in lines of WIDTH bytes at most, where its words allow that. */
static void print_paragraph(const char *p, size_t n)
{
    size_t at = 0; /* column */
    while (n > 0) {
        const char *space = memchr(p, ' ', n);
        size_t word = space != NULL ? (size_t)(space - p) : n;
        if (at > 0 && at + 1 + word > WIDTH) {
            (void)putchar('\n');
            at = 0;
        }
        (void)printf("%s%.*s", at > 0 ? " " : "", (int)word, p);
        at += word + (at > 0 ? 1 : 0);
        word += word < n ? 1 : 0;
        p += word;
        n -= word;
    }
    (void)putchar('\n');
}

static void explain(const struct eve_rule_info *info)
{
    const char *p = info->explanation;
    (void)printf("%s (%s): %s\n", info->id, eve_diag_level(info->level), info->summary);
    while (*p != '\0') {
        const char *end = strstr(p, "\n\n");
        size_t n = end != NULL ? (size_t)(end - p) : strlen(p);
        (void)putchar('\n');
        if (strncmp(p, "    ", 4) == 0) {
            (void)printf("%.*s\n", (int)n, p); /* an example */
        } else {
            print_paragraph(p, n);
        }
        p += n + (end != NULL ? 2 : 0);
    }
}

int rulebook_show(const char *tool, unsigned only)
{
    for (unsigned rule = 1; rule < EVE_RULE_COUNT; rule++) {
        const struct eve_rule_info *info = eve_rules_get(rule);
        if (only == EVE_RULE_NONE) {
            (void)printf("%-19s %-8s %s\n", info->id, eve_diag_level(info->level), info->summary);
        } else if (rule == only) {
            explain(info);
        }
    }
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "%s: standard output: error: cannot write: %s\n", tool,
                      strerror(errno));
        return CLI_EXIT_FAIL;
    }
    return CLI_EXIT_OK;
}

bool rulebook_set(struct eve_finder *finder, const char *arg, const char *level)
{
    int choice = 0;
    const char *equals = level == NULL ? strchr(arg, '=') : arg + strlen(arg);
    if (equals == NULL) {
        return false;
    }
    unsigned rule = eve_rules_find((struct eve_slice){arg, (size_t)(equals - arg)});
    level = level == NULL ? equals + 1 : level;
    /* in the order of enum eve_level */
    if (rule == EVE_RULE_NONE || !cli_choice(level, "note warning error off", &choice)) {
        return false;
    }
    eve_finder_set(finder, rule, (unsigned)choice);
    return true;
}
