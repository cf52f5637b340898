#include "aid.h"
#include "spell.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

static struct eve_err err;

static struct eve_json_value string_of(struct eve_slice quoted)
{
    struct eve_json j;
    struct eve_json_value value = {0};
    eve_json_open(&j, quoted);
    CHECK(eve_json_skip(&j, &value, &err) == EVE_OK && value.kind == EVE_JSON_STRING);
    return value;
}

/* Pieces (quoted strings) put one behind the other are spelled so. */
static void spells(const char *const *pieces, struct eve_slice want)
{
    struct eve_buf out;
    eve_buf_init(&out, 1 << 20);
    CHECK(eve_buf_puts(&out, "\\ud83d", &err) == EVE_OK); /* not part of the text */
    size_t from = out.n;
    for (; *pieces != NULL; pieces++)
        CHECK(eve_spell_put(&out, from, string_of(eve_str(*pieces)), &err) == EVE_OK);
    CHECK_EQ_MEM(out.p + from, out.n - from, want.p, want.n);
    eve_buf_fini(&out);
}
#define SPELLS(want, ...) spells((const char *const[]){__VA_ARGS__, NULL}, S(want))

static void puts_pieces(void)
{
    TEST("texts are spelled as JSON.stringify does");
    SPELLS("plain \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
           "\"plain \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"");
    SPELLS("\\\"\\\\/\\b\\t\\n\\f\\r", "\"\\\"\\\\\\/\\b\\t\\n\\f\\r\"");
    SPELLS("\\u0000\\u001f\\u000bA\x7f\xc2\x80", "\"\\u0000\\u001F\\u000B\\u0041\\u007f\\u0080\"");
    SPELLS("\\n\\b\\\"\\\\\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80",
           "\"\\u000a\\u0008\\u0022\\u005C\\u00E9\\u2028\\uD83D\\uDE00\"");
    SPELLS("x\xf0\x9f\x98\x80y", "\"x\"", "\"\\uD83D\\uDe00\"", "\"\"", "\"y\"");

    TEST("halves that meet become one character, others stay");
    SPELLS("\xf0\x9f\x98\x80", "\"\\ud83d\"", "\"\\ude00\"");
    SPELLS("a\xf0\x9f\x98\x80"
           "b",
           "\"a\\uD83D\"", "\"\"", "\"\\uDE00b\"");
    SPELLS("\\ude00\\ud83d", "\"\\ude00\"", "\"\\ud83d\"");
    SPELLS("\\ud83d\xf0\x9f\x98\x80\\ude00", "\"\\ud83d\"", "\"\\ud83d\"", "\"\\ude00\"",
           "\"\\ude00\"");
    SPELLS("\\ud83d \\ude00", "\"\\ud83d\"", "\" \\ude00\"");
    SPELLS("\\ude00", "\"\\ude00\""); /* what stands before the text is no half of it */
    SPELLS("\\\\ud83d\\ude00", "\"\\\\ud83d\"", "\"\\ude00\"");
    SPELLS("\\\\\xf0\x9f\x98\x80", "\"\\\\\\ud83d\"", "\"\\ude00\"");
    SPELLS("ud83d\\ude00", "\"ud83d\"", "\"\\ude00\"");
    SPELLS("\xed\x9f\xbf\\ude00", "\"\\ud7ff\"", "\"\\ude00\"");
}

static void cuts_heads(void)
{
    static const struct {
        const char *text;
        uint64_t units;
        const char *want;
    } rows[] = {
        {"abc", 2, "ab"},
        {"abc", 0, ""},
        {"a\\nb", 2, "a\\n"},
        {"\xf0\x9f\x98\x80z", 1, "\\ud83d"},
        {"\xf0\x9f\x98\x80z", 2, "\xf0\x9f\x98\x80"},
        {"\\ud83dz", 1, "\\ud83d"},
        {"\xc3\xa9\\u0000", 2, "\xc3\xa9\\u0000"},
    };
    TEST("the first units of a text");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct eve_buf out;
        eve_buf_init(&out, 1 << 20);
        CHECK(eve_spell_head(&out, eve_str(rows[i].text), rows[i].units, &err) == EVE_OK);
        CHECK_EQ_MEM(out.p, out.n, rows[i].want, strlen(rows[i].want));
        eve_buf_fini(&out);
    }
}

enum form { PLAIN, JSON, TEXT, TERMINAL, GUARD };

static void gives(enum form form, struct eve_slice in, struct eve_slice want)
{
    struct eve_buf out;
    enum eve_status status = EVE_BAD;
    eve_buf_init(&out, 1 << 20);
    switch (form) {
    case PLAIN:
        status = eve_spell_plain(&out, in, &err);
        break;
    case JSON:
        status = eve_spell_to_json(&out, in, &err);
        break;
    case GUARD:
        status = eve_spell_guard(&out, in, &err);
        break;
    default:
        status = eve_spell_to_text(&out, in, form == TERMINAL, &err);
        break;
    }
    CHECK(status == EVE_OK);
    CHECK_EQ_MEM(out.p, out.n, want.p, want.n);
    eve_buf_fini(&out);
}

static void other_forms(void)
{
    TEST("plain bytes are spelled");
    gives(PLAIN, S("session_id"), S("session_id"));
    gives(PLAIN, S("a\"\\\n\x01\xc3\xa9"), S("a\\\"\\\\\\n\\u0001\xc3\xa9"));
    gives(PLAIN, S("\xff\xed\xa0\xbd"), S("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"));

    TEST("what a text says, as JSON text");
    gives(JSON, S("{\\\"a\\\":\\\"\\\\n\\ud83d\\\"}\\n"), S("{\"a\":\"\\n\\ud83d\"}\n"));

    TEST("what a text says, to be read");
    gives(TEXT, S("a\\n\\\"\\u0000\\ud83d\xc3\xa9\\u001b"), S("a\n\"\0\xef\xbf\xbd\xc3\xa9\x1b"));
    gives(TERMINAL, S("a\\n\\t\\r\\u001b[2J\xc2\x9b\xe2\x80\xae\xc3\xa9\\ud83d"),
          S("a\n\t\\x0d\\x1b[2J\\xc2\\x9b\\xe2\\x80\\xae\xc3\xa9\xef\xbf\xbd"));
    gives(GUARD, S("{\"a\":\"\\u001b\x7f\"}\r"), S("{\"a\":\"\\u001b\\x7f\"}\\x0d"));
}

/* Append to a string in a room of ANY bytes. */
enum { ANY = 128 };
static void add(char *to, const char *s)
{
    size_t n = strlen(to);
    snprintf(to + n, ANY - n, "%s", s);
}

/* Any text cut anywhere is spelled as the whole is; spelling twice is spelling once. */
static void any_cut(void)
{
    static const char *const atoms[] = {
        "a",   "\\\\",     "\\\"",  "\\u0041", "\\ud83d", "\\ude00", "\xf0\x9f\x98\x80",
        "\\n", "\xc3\xa9", "ud83d", "\\u0000"};
    uint64_t state = 5;
    TEST("a text in pieces is spelled as the whole");
    for (int round = 0; round < 20000; round++) {
        char whole[ANY] = "\"";
        char piece[ANY] = "\"";
        struct eve_buf parts;
        struct eve_buf all;
        struct eve_buf again;
        eve_buf_init(&parts, 1 << 20);
        eve_buf_init(&all, 1 << 20);
        eve_buf_init(&again, 1 << 20);
        for (int i = 0; i < 12; i++) {
            const char *atom = atoms[aid_below(&state, sizeof atoms / sizeof *atoms)];
            add(whole, atom);
            add(piece, atom);
            if (aid_below(&state, 3) == 0) {
                add(piece, "\"");
                CHECK(eve_spell_put(&parts, 0, string_of(eve_str(piece)), &err) == EVE_OK);
                piece[1] = '\0';
            }
        }
        add(piece, "\"");
        add(whole, "\"");
        CHECK(eve_spell_put(&parts, 0, string_of(eve_str(piece)), &err) == EVE_OK);
        CHECK(eve_spell_put(&all, 0, string_of(eve_str(whole)), &err) == EVE_OK);
        if (!CHECK_EQ_MEM(parts.p, parts.n, all.p, all.n))
            round = 20000;
        CHECK(eve_text_equal(eve_buf_slice(&all), eve_text_of(string_of(eve_str(whole)))));
        snprintf(whole, sizeof whole, "\"%.*s\"", (int)all.n, all.p);
        CHECK(eve_spell_put(&again, 0, string_of(eve_str(whole)), &err) == EVE_OK);
        CHECK_EQ_MEM(again.p, again.n, all.p, all.n);
        eve_buf_fini(&parts);
        eve_buf_fini(&all);
        eve_buf_fini(&again);
    }
}

void test_spell(void);
void test_spell(void)
{
    puts_pieces();
    cuts_heads();
    other_forms();
    any_cut();
}
