#include "check.h"
#include "diag.h"
#include "rules.h"
#include "str.h"
#include "words.h"

void test_rules(void);

static unsigned count;
static enum eve_level level;

static enum eve_status on_found(void *ctx, const struct eve_finding *f, struct eve_err *err)
{
    (void)err;
    count++;
    level = f->level;
    return ctx == NULL ? EVE_OK : EVE_FAIL;
}

static void table(void)
{
    TEST("every rule has an id, a line and an explanation");
    for (unsigned rule = 1; rule < EVE_RULE_COUNT; rule++) {
        const struct eve_rule_info *info = eve_rules_get(rule);
        CHECK(info->id != NULL && info->summary != NULL && info->explanation != NULL);
        CHECK(strlen(info->summary) < 90 && info->summary[strlen(info->summary) - 1] != '.');
        CHECK(info->explanation[strlen(info->explanation) - 1] != '\n');
        CHECK_EQ_INT(eve_rules_find(eve_str(info->id)), rule);
        if (rule < EVE_RULE_DECODE_COUNT) {
            CHECK_EQ_STR(info->id, eve_diag_rule((enum eve_rule)rule));
            CHECK_EQ_INT(info->level, EVE_LEVEL_ERROR);
        }
    }
    CHECK_EQ_INT(eve_rules_find(eve_str("no-such")), EVE_RULE_NONE);
    CHECK_EQ_INT(eve_rules_find(eve_str("")), EVE_RULE_NONE);
}

static void levels(void)
{
    struct eve_finder finder;
    struct eve_err err;
    struct eve_finding f = {.rule = EVE_RULE_BLOCK_OPEN, .message = "x"};
    TEST("levels of findings");
    eve_finder_init(&finder, on_found, NULL);
    CHECK(eve_finder_tell(&finder, &f, &err) == EVE_OK && level == EVE_LEVEL_WARNING);
    f.explained = true;
    CHECK(eve_finder_tell(&finder, &f, &err) == EVE_OK && level == EVE_LEVEL_NOTE);
    eve_finder_set(&finder, EVE_RULE_BLOCK_OPEN, EVE_LEVEL_ERROR);
    CHECK(eve_finder_tell(&finder, &f, &err) == EVE_OK && level == EVE_LEVEL_ERROR);
    CHECK_EQ_INT(count, 3);
    CHECK(eve_finder_wants(&finder, EVE_RULE_BLOCK_OPEN));
    eve_finder_set(&finder, EVE_RULE_BLOCK_OPEN, EVE_LEVEL_OFF);
    CHECK(eve_finder_tell(&finder, &f, &err) == EVE_OK);
    CHECK(!eve_finder_wants(&finder, EVE_RULE_BLOCK_OPEN));
    CHECK_EQ_INT(count, 3);
    TEST("what the callback says is passed on");
    f.rule = EVE_RULE_LATE;
    finder.ctx = &finder;
    CHECK(eve_finder_tell(&finder, &f, &err) == EVE_FAIL);
}

static void places(void)
{
    static const char line[] = "  {\"type\":\"x\",\"data\":{\"a\":\"0123456789012345678901234567890"
                               "1234567890123456789\",\"b\":7},\"meta\":{\"id\":\"i\"}}";
    struct eve_event ev;
    struct eve_event_options none = {{NULL, 0}};
    struct eve_finding f = {0};
    struct eve_err err;
    TEST("the place of a finding");
    CHECK(eve_event_parse(&ev, eve_str(line), true, &none, &err) == EVE_OK);
    eve_finding_place(&f, &ev, NULL, 4, 9);
    CHECK(f.column == 3);
    CHECK(f.line == 4);
    CHECK(f.event == 9);
    CHECK(eve_str_is(f.type, "\"x\"") && eve_str_is(f.id, "\"i\""));
    CHECK_EQ_MEM(f.excerpt.p, f.excerpt.n, line, EVE_FINDING_EXCERPT);
    eve_finding_place(&f, &ev, strstr(line, "7}"), 4, 9);
    CHECK(f.column == (uint64_t)(strstr(line, "7}") - line + 1));
    CHECK(f.excerpt.n <= EVE_FINDING_EXCERPT && f.excerpt.p > line);
    CHECK(f.excerpt.p + f.excerpt.n == line + sizeof line - 1);
}

static void words(void)
{
    struct eve_words w;
    TEST("messages");
    eve_words_init(&w, "a ");
    eve_words_number(&w, 1, "thing");
    eve_words_put(&w, ", ");
    eve_words_number(&w, UINT64_MAX, "thing");
    eve_words_put(&w, ": ");
    eve_words_quote(&w, (struct eve_slice){"x\n\0\033", 4});
    CHECK_EQ_STR(w.s, "a 1 thing, 18446744073709551615 things: \"x\\x0a\\x00\\x1b\"");
    eve_words_init(&w, "");
    eve_words_count(&w, 0);
    CHECK_EQ_STR(w.s, "0");
    TEST("what does not fit is left out");
    for (int i = 0; i < 200; i++) {
        eve_words_put(&w, "abcdefg");
    }
    CHECK_EQ_SIZE(strlen(w.s), 1 + 68 * 7);
    CHECK_EQ_SIZE(w.n, strlen(w.s));
}

void test_rules(void)
{
    table();
    levels();
    places();
    words();
}
