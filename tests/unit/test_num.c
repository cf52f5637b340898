#include "aid.h"
#include "num.h"

#include <stdio.h>
#include <string.h>

#define NONE UINT64_MAX

static void integers(void)
{
    static const struct {
        const char *text;
        uint64_t want; /* NONE: no integer up to 2^53-1 */
    } cases[] = {
        {"0", 0},
        {"-0", 0},
        {"-0.000e5", 0},
        {"0e999999999999999999999", 0},
        {"5", 5},
        {"5.0", 5},
        {"1e2", 100},
        {"1E+2", 100},
        {"100e-2", 1},
        {"0.5e1", 5},
        {"12.50e1", 125},
        {"12.5", NONE},
        {"12.55e1", NONE},
        {"0.0001e4", 1},
        {"1e-1", NONE},
        {"10e-1", 1},
        {"10e-2", NONE},
        {"-1", NONE},
        {"-1e2", NONE},
        {"9007199254740991", EVE_NUM_SAFE_MAX},
        {"9007199254740991.000", EVE_NUM_SAFE_MAX},
        {"9007199254740992", NONE},
        {"9007199254740990.9", NONE},
        {"90071992547409910e-1", EVE_NUM_SAFE_MAX},
        {"0.0000000000000000000000009007199254740991e40", EVE_NUM_SAFE_MAX},
        {"9e15", 9000000000000000},
        {"1e16", NONE},
        {"1e99999999999999999999999", NONE},
        {"1e-99999999999999999999999", NONE},
        {"18446744073709551616", NONE},
        {"1000000000000000000000000000000e-30", 1},
    };
    uint64_t got = 0;
    TEST("integers by value");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool is = eve_num_integer(eve_str(cases[i].text), EVE_NUM_SAFE_MAX, &got);
        if (!CHECK(is == (cases[i].want != NONE)) || (is && !CHECK(got == cases[i].want)))
            printf("# %s\n", cases[i].text);
    }

    TEST("integers up to a maximum");
    CHECK(eve_num_integer(S("18446744073709551615"), UINT64_MAX, &got) && got == UINT64_MAX);
    CHECK(!eve_num_integer(S("18446744073709551616"), UINT64_MAX, &got));
    CHECK(!eve_num_integer(S("99999999999999999999"), UINT64_MAX, &got));
    CHECK(eve_num_integer(S("3"), 3, &got) && got == 3 && !eve_num_integer(S("4"), 3, &got));
    CHECK(eve_num_integer(S("0"), 0, &got) && !eve_num_integer(S("1"), 0, &got));
    CHECK(!eve_num_integer(S("10"), 9, &got));
}

static void equal_table(void)
{
    /* Numbers in one row have one value; rows differ. */
    static const char *const rows[][6] = {
        {"0", "-0", "0.0", "0e5", "-0.00E-7"},
        {"1", "1.0", "1e0", "10e-1", "0.1e1", "0.01E+2"},
        {"-1", "-1.0", "-10e-1"},
        {"10", "1e1", "1e+1", "10.00"},
        {"0.1", "1e-1", "0.10"},
        {"11", "1.1e1"},
        {"101", "1.01e2", "10.10e1"},
        {"9007199254740993", "9007199254740993.0", "9.007199254740993e15"},
        {"9007199254740992"},
        {"1e400", "10e399", "0.1e401"},
        {"1e401"},
        {"1.10001", "110001e-5"},
        {"1.1001"},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    TEST("equal by exact value");
    for (size_t i = 0; i < ROWS * 6; i++) {
        for (size_t k = 0; k < ROWS * 6; k++) {
            const char *a = rows[i / 6][i % 6];
            const char *b = rows[k / 6][k % 6];
            if (a && b && !CHECK(eve_num_equal(eve_str(a), eve_str(b)) == (i / 6 == k / 6)))
                printf("# %s %s\n", a, b);
        }
    }
}

/* One of the ways to write `v`. */
static void spell(uint64_t *random, uint64_t v, char *out, size_t cap)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, v);
    int zeros = (int)aid_below(random, 12);
    int at = (int)aid_below(random, (size_t)n);
    switch (aid_below(random, 5)) {
    case 0:
        snprintf(out, cap, "%s.%0*d", digits, zeros + 1, 0);
        break;
    case 1:
        snprintf(out, cap, "%s%.*se-%d", digits, zeros, "000000000000", zeros);
        break;
    case 2: /* the point anywhere */
        snprintf(out, cap, "%.*s.%s%.*sE+%d", at + 1, digits, digits + at + 1,
                 at + 1 == n ? zeros + 1 : 0, "000000000000", n - at - 1);
        break;
    case 3:
        snprintf(out, cap, "0.%.*s%se%d", zeros, "000000000000", digits, zeros + n);
        break;
    default:
        snprintf(out, cap, "%s", digits);
    }
}

static void spellings(void)
{
    uint64_t random = 3;
    char a[80];
    char b[80];
    TEST("one value in many spellings");
    for (int i = 0; i < 50000; i++) {
        uint64_t v = aid_random(&random) >> aid_below(&random, 50);
        uint64_t w = aid_below(&random, 2) ? v : v + 1 + aid_below(&random, 3) * v;
        uint64_t got = 0;
        spell(&random, v, a, sizeof a);
        spell(&random, w, b, sizeof b);
        bool ok = CHECK(eve_num_equal(eve_str(a), eve_str(b)) == (v == w)) &&
                  CHECK(eve_num_integer(eve_str(a), UINT64_MAX, &got) && got == v) &&
                  CHECK(eve_num_integer(eve_str(b), v, &got) == (w <= v));
        if (!ok) {
            printf("# %s %s\n", a, b);
            return;
        }
    }
}

static void parts(void)
{
    struct eve_num num;
    TEST("taken apart");
    eve_num_parse(S("-0.00120e7"), &num);
    CHECK(num.negative && *num.first == '1' && *num.last == '2' && num.exponent == 5);
    eve_num_parse(S("10200"), &num);
    CHECK(!num.negative && *num.first == '1' && *num.last == '2' && num.exponent == 5);
    eve_num_parse(S("-0.0"), &num);
    CHECK(!num.negative && num.first == NULL);
    eve_num_parse(S("1e-123456789012345678901234567890"), &num);
    CHECK(num.exponent < INT64_MIN / 8);
}

void test_num(void);
void test_num(void)
{
    integers();
    equal_table();
    spellings();
    parts();
}
