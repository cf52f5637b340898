#include "aid.h"
#include "buf.h"
#include "show.h"
#include "spell.h"

static struct eve_err err;

static void shows(const struct eve_show *as, bool spelled, struct eve_slice text,
                  struct eve_slice want)
{
    struct eve_buf got;
    struct eve_buf scratch;
    struct eve_show how = *as;
    eve_buf_init(&got, 1 << 24);
    eve_buf_init(&scratch, 1 << 18); /* no text is held as a whole */
    how.out = aid_out();
    how.buf = &scratch;
    CHECK((spelled ? eve_show_text(&how, text, &err) : eve_show_plain(&how, text, &err)) == EVE_OK);
    CHECK(aid_taken(&got, &err) == EVE_OK);
    CHECK_EQ_MEM(got.p, got.n, want.p, want.n);
    eve_buf_fini(&got);
    eve_buf_fini(&scratch);
}

static void lines(void)
{
    struct eve_show marked = {.mark = "> "};
    struct eve_show joined = {.one_line = true};
    struct eve_show guarded = {.guard = true};
    TEST("a mark comes before each line, also an empty one");
    shows(&marked, true, S(""), S("> "));
    shows(&marked, true, S("a"), S("> a"));
    shows(&marked, true, S("a\\n\\nb\\n"), S("> a\n> \n> b\n> "));
    TEST("line ends can be spaces; plain text, and for a terminal");
    shows(&joined, true, S("{\\n\\\"a\\\"\\r\\n}"), S("{ \"a\"  }"));
    shows(&guarded, false, S("\"\x7f\\n\""), S("\"\\x7f\\n\""));
    shows(&(struct eve_show){0}, false, S("\"\x7f\\n\""), S("\"\x7f\\n\""));
}

/* A text of 100 KB that has `what` again and again behind `lead` bytes is shown as in one piece. */
static void pieces(const char *what, size_t lead, bool guard, bool spelled)
{
    struct eve_buf text;
    struct eve_buf want;
    struct eve_show how = {.guard = guard};
    eve_buf_init(&text, 1 << 24);
    eve_buf_init(&want, 1 << 24);
    for (size_t i = 0; i < lead; i++) {
        CHECK(eve_buf_putc(&text, 'x', &err) == EVE_OK);
    }
    while (text.n < 100000) {
        CHECK(eve_buf_puts(&text, what, &err) == EVE_OK);
    }
    if (spelled) {
        CHECK(eve_spell_to_text(&want, eve_buf_slice(&text), guard, &err) == EVE_OK);
    } else if (guard) {
        CHECK(eve_spell_guard(&want, eve_buf_slice(&text), &err) == EVE_OK);
    } else {
        CHECK(eve_buf_put(&want, eve_buf_slice(&text), &err) == EVE_OK);
    }
    shows(&how, spelled, eve_buf_slice(&text), eve_buf_slice(&want));
    eve_buf_fini(&text);
    eve_buf_fini(&want);
}

void test_show(void);
void test_show(void)
{
    static const char *const hard[] = {
        "\\\\",     "\\u0000\\n",          "\xf0\x9f\x98\x80", "\\ud83d\xc3\xa9",
        "\\\\u000", "\xc2\x9b\xe2\x80\xae"};
    lines();
    TEST("a piece ends between two characters and outside of escapes");
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        for (size_t lead = 0; lead < 12; lead++) {
            for (unsigned form = 0; form < 4; form++) {
                pieces(hard[i], lead, (form & 1U) != 0, (form & 2U) != 0);
            }
        }
    }
}
