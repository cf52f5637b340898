#include "str.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool eve_str_is_nocase(struct eve_slice a, const char *s)
{
    size_t i = 0;
    while (i < a.n && s[i] != '\0' && lower(a.p[i]) == lower(s[i])) {
        i++;
    }
    return i == a.n && s[i] == '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

struct eve_slice eve_str_trim(struct eve_slice s)
{
    while (s.n > 0 && is_blank(s.p[0])) {
        s.p++;
        s.n--;
    }
    while (s.n > 0 && is_blank(s.p[s.n - 1])) {
        s.n--;
    }
    return s;
}

int eve_str_compare(struct eve_slice a, struct eve_slice b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.p, b.p, n) : 0;
    if (order == 0 && a.n != b.n) {
        order = a.n < b.n ? -1 : 1;
    }
    return order;
}
