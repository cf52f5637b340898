/*
 * Runs the unit tests and prints TAP. With arguments: only the modules named. "selftest" is a
 * module that fails on purpose; tests/meta/harness.sh requires that this is seen.
 */

#include "check.h"

#include <stdio.h>
#include <string.h>

/* The list comes from the Makefile as X(module) X(module). */
#ifndef UNIT_TESTS
#define UNIT_TESTS X(check)
#endif

#define X(module) void test_##module(void);
UNIT_TESTS
#undef X
void test_selftest(void);

static const struct {
    const char *name;
    void (*run)(void);
} modules[] = {
#define X(module) {#module, test_##module},
    UNIT_TESTS
#undef X
};

static const char *module;
static const char *test; /* the open test, or NULL */
static int points;
static int failed_points;
static int failed_checks; /* of the open test */

static void end_test(void)
{
    if (!test)
        return;
    points++;
    failed_points += failed_checks > 0;
    printf("%s %d %s: %s\n", failed_checks ? "not ok" : "ok", points, module, test);
    test = NULL;
    failed_checks = 0;
}

void check_begin(const char *name)
{
    end_test();
    test = name;
}

/* Begins the log of a failed check; the caller ends the line. */
static void fail(const char *expr, const char *file, int line)
{
    if (!test)
        test = "(outside of any test)";
    failed_checks++;
    printf("# %s:%d: %s", file, line, expr);
}

bool check_true(bool ok, const char *expr, const char *file, int line)
{
    if (!ok) {
        fail(expr, file, line);
        printf(" does not hold\n");
    }
    return ok;
}

bool check_int(intmax_t got, intmax_t want, const char *expr, const char *file, int line)
{
    if (got != want) {
        fail(expr, file, line);
        printf(" is %" PRIdMAX ", not %" PRIdMAX "\n", got, want);
    }
    return got == want;
}

bool check_size(size_t got, size_t want, const char *expr, const char *file, int line)
{
    if (got != want) {
        fail(expr, file, line);
        printf(" is %zu, not %zu\n", got, want);
    }
    return got == want;
}

static void show(const unsigned char *p, size_t len)
{
    const size_t most = 200;
    putchar('"');
    for (size_t i = 0; i < len && i < most; i++) {
        if (p[i] < ' ' || p[i] > '~' || p[i] == '"' || p[i] == '\\')
            printf("\\x%02x", p[i]);
        else
            putchar(p[i]);
    }
    printf("\"%s (%zu bytes)", len > most ? "..." : "", len);
}

bool check_mem(const void *got, size_t got_len, const void *want, size_t want_len, const char *expr,
               const char *file, int line)
{
    bool ok = got_len == want_len && (got_len == 0 || memcmp(got, want, got_len) == 0);
    if (!ok) {
        fail(expr, file, line);
        printf(" is ");
        show(got, got_len);
        printf(", not ");
        show(want, want_len);
        putchar('\n');
    }
    return ok;
}

bool check_str(const char *got, const char *want, const char *expr, const char *file, int line)
{
    if (!got)
        return check_true(!want, expr, file, line);
    return check_mem(got, strlen(got), want, strlen(want), expr, file, line);
}

static void run(const char *name, void (*tests)(void))
{
    module = name;
    tests();
    end_test();
}

int main(int argc, char **argv)
{
    /* Each line at once, so that the log shows which test a crash ended. */
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (size_t i = 0; i < sizeof modules / sizeof *modules; i++) {
        bool wanted = argc < 2;
        for (int a = 1; a < argc; a++)
            wanted |= strcmp(argv[a], modules[i].name) == 0;
        if (wanted)
            run(modules[i].name, modules[i].run);
    }
    if (argc == 2 && strcmp(argv[1], "selftest") == 0)
        run("selftest", test_selftest);
    printf("1..%d\n", points);
    return failed_points > 0 || points == 0;
}
