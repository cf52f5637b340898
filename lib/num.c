#include "num.h"

#include "str.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The exponent part at `p`, which is at `e`, `E` or the end. */
static int64_t parse_exponent(const char *p, const char *end)
{
    const int64_t limit = INT64_MAX / 4; /* so that sums with a length cannot overflow */
    int64_t value = 0;
    bool negative = false;
    if (p == end) {
        return 0;
    }
    p++;
    if (*p == '+' || *p == '-') {
        negative = *p == '-';
        p++;
    }
    for (; p < end; p++) {
        value = value > limit / 10 ? limit : value * 10 + (*p - '0');
    }
    return negative ? -value : value;
}

void eve_num_parse(struct eve_slice text, struct eve_num *out)
{
    const char *p = text.p;
    const char *end = eve_str_end(text);
    const char *point = NULL;
    struct eve_num num = {0};
    num.negative = *p == '-';
    p += num.negative ? 1 : 0;
    for (; p < end && (is_digit(*p) || *p == '.'); p++) {
        if (*p == '.') {
            point = p;
        } else if (*p != '0') {
            num.first = num.first == NULL ? p : num.first;
            num.last = p;
        }
    }
    const char *whole_end = point != NULL ? point : p; /* end of the integer part */
    if (num.first == NULL) {
        num.negative = false;
    } else if (num.first < whole_end) {
        num.exponent = whole_end - num.first + parse_exponent(p, end);
    } else {
        num.exponent = whole_end + 1 - num.first + parse_exponent(p, end);
    }
    *out = num;
}

bool eve_num_integer(struct eve_slice text, uint64_t max, uint64_t *out)
{
    struct eve_num num;
    uint64_t value = 0;
    eve_num_parse(text, &num);
    if (num.first == NULL) {
        *out = 0;
        return true;
    }
    if (num.negative || num.exponent <= 0 || num.exponent > 20) {
        return false;
    }
    const char *p = num.first;
    for (int64_t i = 0; i < num.exponent; i++) {
        if (p <= num.last && *p == '.') {
            p++;
        }
        unsigned digit = p <= num.last ? (unsigned)(*p++ - '0') : 0;
        if (value > (max - digit) / 10 || digit > max) {
            return false;
        }
        value = value * 10 + digit;
    }
    if (p <= num.last) { /* digits left: not an integer */
        return false;
    }
    *out = value;
    return true;
}

bool eve_num_equal(struct eve_slice a, struct eve_slice b)
{
    struct eve_num x;
    struct eve_num y;
    eve_num_parse(a, &x);
    eve_num_parse(b, &y);
    if (x.first == NULL || y.first == NULL) {
        return x.first == y.first;
    }
    if (x.negative != y.negative || x.exponent != y.exponent) {
        return false;
    }
    const char *p = x.first;
    const char *q = y.first;
    while (p <= x.last && q <= y.last) {
        p += *p == '.' ? 1 : 0;
        q += *q == '.' ? 1 : 0;
        if (*p++ != *q++) {
            return false;
        }
    }
    return p > x.last && q > y.last;
}
