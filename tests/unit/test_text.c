#include "aid.h"
#include "text.h"
#include "utf8.h"

#include <stdio.h>
#include <string.h>

/* The slow definition: the whole text as an array of UTF-16 units. */
enum { UNITS_MAX = 400 };
struct units {
    uint16_t list[UNITS_MAX];
    size_t n;
};

static void add_point(struct units *u, uint32_t c)
{
    if (c >= 0x10000) {
        u->list[u->n++] = (uint16_t)(0xD800 + ((c - 0x10000) >> 10));
        u->list[u->n++] = (uint16_t)(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else {
        u->list[u->n++] = (uint16_t)c;
    }
}

/* `plain`: backslashes mean themselves. */
static void decode(struct units *u, struct eve_slice text, bool plain)
{
    static const char letters[] = "bfnrt";
    static const char meaning[] = "\b\f\n\r\t";
    bool cut = false;
    u->n = 0;
    for (size_t i = 0; i < text.n;) {
        if (text.p[i] != '\\' || plain) {
            size_t len = eve_utf8_length(text.p + i, text.n - i, &cut);
            add_point(u, eve_utf8_decode(text.p + i, len));
            i += len;
        } else if (text.p[i + 1] == 'u') {
            char hex[5] = {0};
            memcpy(hex, text.p + i + 2, 4);
            u->list[u->n++] = (uint16_t)strtoul(hex, NULL, 16);
            i += 6;
        } else {
            const char *letter = strchr(letters, text.p[i + 1]);
            u->list[u->n++] = (uint8_t)(letter ? meaning[letter - letters] : text.p[i + 1]);
            i += 2;
        }
    }
}

static bool slow_ends_with(const struct units *a, const struct units *b)
{
    return a->n >= b->n && memcmp(a->list + a->n - b->n, b->list, b->n * sizeof *b->list) == 0;
}

static bool slow_equal(const struct units *a, const struct units *b)
{
    return a->n == b->n && slow_ends_with(a, b);
}

/* One of the spellings of the units from `from` on. */
static size_t spell(uint64_t *random, const struct units *u, size_t from, char *out)
{
    size_t n = 0;
    for (size_t i = from; i < u->n; i++) {
        uint32_t c = u->list[i];
        bool high = c >= 0xD800 && c <= 0xDBFF && i + 1 < u->n && u->list[i + 1] >= 0xDC00 &&
                    u->list[i + 1] <= 0xDFFF;
        const char *letter =
            c != 0 && c < 0x80 ? strchr("\bb\ff\nn\rr\tt\"\"\\\\//", (int)c) : NULL;
        unsigned way = aid_below(random, 3);
        if (high && way > 0) {
            c = 0x10000 + ((c - 0xD800) << 10) + (u->list[++i] - 0xDC00u);
            n += eve_utf8_encode(c, out + n);
        } else if (letter && c != 'b' && c != 'f' && c != 'n' && c != 'r' && c != 't' && way > 0) {
            out[n++] = '\\';
            out[n++] = letter[1];
        } else if (way > 0 && c >= 0x20 && c != '"' && c != '\\' && (c < 0xD800 || c > 0xDFFF)) {
            n += eve_utf8_encode(c, out + n);
        } else {
            n +=
                (size_t)sprintf(out + n, aid_below(random, 2) ? "\\u%04x" : "\\u%04X", (unsigned)c);
        }
    }
    return n;
}

/* A random text, raw, of up to `most` pieces. */
static size_t make(uint64_t *random, char *out, size_t most)
{
    static const char *const pieces[] = {"a",
                                         "n",
                                         "u",
                                         "0",
                                         "b",
                                         "u0041",
                                         "0041",
                                         "u00",
                                         "\\\\",
                                         "\\\\",
                                         "\\\\\\\\",
                                         "\\\"",
                                         "\\/",
                                         "\\n",
                                         "\\b",
                                         "\\u0041",
                                         "\\u005c",
                                         "\\u005C",
                                         "\\u0000",
                                         "\\u006e",
                                         "\\ud83d",
                                         "\\uDE00",
                                         "\\ude00",
                                         "\\ud83d\\ude00",
                                         "\xc3\xa9",
                                         "\\u00e9",
                                         "\xe2\x82\xac",
                                         "\\u20ac",
                                         "\xf0\x9f\x98\x80",
                                         "/",
                                         " "};
    size_t n = 0;
    for (unsigned k = aid_below(random, most + 1); k > 0; k--) {
        struct eve_slice piece = eve_str(pieces[aid_below(random, sizeof pieces / sizeof *pieces)]);
        memcpy(out + n, piece.p, piece.n);
        n += piece.n;
    }
    return n;
}

/* The bytes between quotes would be a string that the scanner takes. */
static bool is_text(struct eve_slice s)
{
    bool cut = false;
    for (size_t i = 0; i < s.n;) {
        size_t len = eve_utf8_length(s.p + i, s.n - i, &cut);
        if (s.p[i] == '\\') {
            if (i + 1 == s.n || !strchr("\"\\/bfnrtu", s.p[i + 1]))
                return false;
            len = s.p[i + 1] == 'u' ? 6 : 2;
            for (size_t k = 2; k < len; k++)
                if (i + k >= s.n || !strchr("0123456789abcdefABCDEF", s.p[i + k]))
                    return false;
        }
        if (len == 0 || s.p[i] == '"')
            return false;
        i += len;
    }
    return true;
}

static bool compare(struct eve_slice text, struct eve_slice tail)
{
    static struct units a;
    static struct units b;
    decode(&a, text, false);
    decode(&b, tail, false);
    bool ok = CHECK(eve_text_ends_with(text, tail) == slow_ends_with(&a, &b)) &&
              CHECK(eve_text_equal(text, tail) == slow_equal(&a, &b)) &&
              CHECK(eve_text_count(text) == a.n && eve_text_count(tail) == b.n);
    if (!ok)
        printf("# of \"%.*s\" and \"%.*s\"\n", (int)text.n, text.p, (int)tail.n, tail.p);
    return ok;
}

static void by_hand(void)
{
    TEST("ends with, by hand");
    CHECK(eve_text_ends_with(S("abc"), S("")) && eve_text_ends_with(S(""), S("")));
    CHECK(eve_text_ends_with(S("xA"), S("\\u0041")) && eve_text_ends_with(S("x\\u0041"), S("A")));
    CHECK(eve_text_ends_with(S("\xf0\x9f\x98\x80"), S("\\ude00")));
    CHECK(!eve_text_ends_with(S("\xf0\x9f\x98\x80"), S("\\ud83d")));
    CHECK(eve_text_ends_with(S("\xf0\x9f\x98\x80"), S("\\ud83d\\uDE00")));
    CHECK(eve_text_ends_with(S("\\ud83d\\ude00"), S("\xf0\x9f\x98\x80")));
    CHECK(!eve_text_ends_with(S("\\ude00"), S("\xf0\x9f\x98\x80")));
    CHECK(!eve_text_ends_with(S("a\\n"), S("n")) && eve_text_ends_with(S("a\\\\n"), S("n")));
    CHECK(!eve_text_ends_with(S("\\u0041"), S("0041")));
    CHECK(!eve_text_ends_with(S("\\u0041"), S("1")));
    CHECK(eve_text_ends_with(S("\\\\u0041"), S("u0041")));
    CHECK(!eve_text_ends_with(S("\\\\\\u0041"), S("u0041")));
    CHECK(!eve_text_ends_with(S("\\\\"), S("\\\\\\\\")));
    CHECK(!eve_text_ends_with(S("b"), S("ab")) && !eve_text_ends_with(S("\xc3\xa9"), S("e")));
}

static void suffixes(void)
{
    static struct units u;
    uint64_t random = 7;
    char text[400];
    char tail[800];
    TEST("ends with, equal and count, against arrays of units");
    for (int round = 0; round < 40000; round++) {
        struct eve_slice whole = {text, make(&random, text, 12)};
        for (size_t from = 0; from <= whole.n; from++) { /* every suffix of its bytes */
            struct eve_slice part = eve_str_sub(whole, from, whole.n);
            if (is_text(part) && !compare(whole, part))
                return;
        }
        decode(&u, whole, false);
        size_t n = spell(&random, &u, aid_below(&random, u.n + 1), tail);
        if (!compare(whole, (struct eve_slice){tail, n}))
            return;
        if (!CHECK(eve_text_ends_with(whole, (struct eve_slice){tail, n})))
            return;
        n = make(&random, tail, 3);
        if (!compare(whole, (struct eve_slice){tail, n}))
            return;
    }
}

static void sums(void)
{
    static struct units u;
    static struct units sum;
    static struct units more;
    uint64_t random = 8;
    char text[2000];
    char head[800];
    char tail[800];
    size_t yes = 0;
    TEST("sums, against arrays of units");
    for (int round = 0; round < 100000; round++) {
        struct eve_slice h = {head, make(&random, head, 6)};
        struct eve_slice t = {tail, make(&random, tail, 4)};
        decode(&sum, h, false);
        decode(&more, t, false);
        memcpy(sum.list + sum.n, more.list, more.n * sizeof *more.list);
        sum.n += more.n;
        struct eve_slice whole = {text, spell(&random, &sum, 0, text)};
        if (aid_below(&random, 3) == 0)
            whole.n = make(&random, text, 3);
        if (aid_below(&random, 3) == 0)
            t.n = make(&random, tail, 4);
        decode(&u, whole, false);
        decode(&sum, h, false);
        decode(&more, t, false);
        memcpy(sum.list + sum.n, more.list, more.n * sizeof *more.list);
        sum.n += more.n;
        yes += slow_equal(&u, &sum) ? 1 : 0;
        if (!CHECK(eve_text_is_sum(whole, h, t) == slow_equal(&u, &sum))) {
            printf("# \"%.*s\" = \"%.*s\" + \"%.*s\"\n", (int)whole.n, text, (int)h.n, head,
                   (int)t.n, tail);
            return;
        }
    }
    CHECK(yes > 10000 && yes < 90000);
}

/* `raw` between quotes. */
static struct eve_json_value quoted(char *room, struct eve_slice raw)
{
    room[0] = room[raw.n + 1] = '"';
    memcpy(room + 1, raw.p, raw.n);
    bool escaped = memchr(raw.p, '\\', raw.n) != NULL;
    return (struct eve_json_value){room, raw.n + 2, EVE_JSON_STRING, escaped};
}

static void says(void)
{
    static struct units a;
    static struct units b;
    uint64_t random = 9;
    char room[500];
    char raw[400];
    char plain[400];
    TEST("a string says plain text");
    CHECK(eve_text_is(quoted(room, S("data")), "data"));
    CHECK(!eve_text_is((struct eve_json_value){0}, ""));
    CHECK(!eve_text_is((struct eve_json_value){"[1]", 3, EVE_JSON_ARRAY, false}, "1"));
    CHECK(eve_text_is(quoted(room, S("d\\u0061ta")), "data"));
    CHECK(!eve_text_is(quoted(room, S("\\u0064at")), "data")); /* was taken for it */
    CHECK(!eve_text_is(quoted(room, S("\\u0064ataa")), "data"));
    CHECK(!eve_text_is(quoted(room, S("\\u0064")), "") && eve_text_is(quoted(room, S("")), ""));
    CHECK(eve_text_is(quoted(room, S("\\\\n")), "\\n") &&
          !eve_text_is(quoted(room, S("\\n")), "\\n"));
    for (int round = 0; round < 100000; round++) {
        struct eve_slice said = {raw, make(&random, raw, 5)};
        struct eve_slice s = {plain, make(&random, plain, 5)};
        decode(&a, said, false);
        if (aid_below(&random, 2)) { /* mostly the same, perhaps cut or with more behind it */
            b = a;
            b.n -= b.n > 0 && aid_below(&random, 2) ? 1 : 0;
            s.n = 0;
            for (size_t i = 0; i < b.n; i++)
                if (b.list[i] < 0xD800 || b.list[i] > 0xDFFF)
                    s.n += eve_utf8_encode(b.list[i], plain + s.n);
            if (aid_below(&random, 4) == 0)
                plain[s.n++] = 'x';
        }
        decode(&b, s, true);
        if (!CHECK(eve_text_says(quoted(room, said), s) == slow_equal(&a, &b))) {
            printf("# \"%.*s\" and %.*s\n", (int)said.n, raw, (int)s.n, plain);
            return;
        }
    }
}

static void decodes(void)
{
    static struct units u;
    uint64_t random = 10;
    char raw[400];
    char again[2000];
    struct eve_err err = {0};
    struct eve_buf one;
    struct eve_buf two;
    TEST("decoded, one spelling for one sequence of units");
    eve_buf_init(&one, SIZE_MAX / 2);
    eve_buf_init(&two, SIZE_MAX / 2);
    CHECK(eve_text_decode(S("a\\n\\u0000\\ud83d\\ude00\\ude00\\ud83d"), &one, &err) == EVE_OK);
    CHECK_SLICE(eve_buf_slice(&one), "a\n\0\xf0\x9f\x98\x80\xed\xb8\x80\xed\xa0\xbd");
    for (int round = 0; round < 50000; round++) {
        struct eve_slice text = {raw, make(&random, raw, 10)};
        decode(&u, text, false);
        size_t n = spell(&random, &u, 0, again);
        char want[1200];
        size_t len = 0;
        for (size_t i = 0; i < u.n; i++) {
            uint32_t c = u.list[i];
            if (c >= 0xD800 && c < 0xDC00 && i + 1 < u.n && u.list[i + 1] >= 0xDC00 &&
                u.list[i + 1] < 0xE000)
                c = 0x10000 + ((c - 0xD800) << 10) + (u.list[++i] - 0xDC00u);
            len += eve_utf8_encode(c, want + len);
        }
        one.n = two.n = 0;
        bool ok = CHECK(eve_text_decode(text, &one, &err) == EVE_OK) &&
                  CHECK(eve_text_decode((struct eve_slice){again, n}, &two, &err) == EVE_OK) &&
                  CHECK_EQ_MEM(one.p, one.n, want, len) && CHECK_EQ_MEM(two.p, two.n, want, len);
        if (!ok)
            break;
    }
    eve_buf_fini(&one);
    eve_buf_fini(&two);
}

void test_text(void);
void test_text(void)
{
    by_hand();
    suffixes();
    sums();
    says();
    decodes();
}
