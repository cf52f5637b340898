#ifndef SLOW_JSON_H
#define SLOW_JSON_H

/*
 * The slow definition of JSON: a recursive descent through the grammar of RFC 8259, which notes the
 * first byte that no valid text can have there and the members of the outermost object.
 */

#include "base.h"
#include "utf8.h"

#include <string.h>

struct slow {
    const char *p;
    const char *end;
    size_t members;
    struct eve_slice name[64];
    struct eve_slice value[64];
};

static bool slow_value(struct slow *s, int depth);

static bool at(const struct slow *s, char c)
{
    return s->p < s->end && *s->p == c;
}

static bool take(struct slow *s, char c)
{
    bool is = at(s, c);
    s->p += is ? 1 : 0;
    return is;
}

static void slow_space(struct slow *s)
{
    while (at(s, ' ') || at(s, '\t') || at(s, '\n') || at(s, '\r'))
        s->p++;
}

static bool slow_digits(struct slow *s)
{
    const char *from = s->p;
    while (s->p < s->end && *s->p >= '0' && *s->p <= '9')
        s->p++;
    return s->p > from;
}

static bool slow_number(struct slow *s)
{
    (void)take(s, '-');
    if (take(s, '0')) {
        if (s->p < s->end && *s->p >= '0' && *s->p <= '9')
            return false;
    } else if (!slow_digits(s)) {
        return false;
    }
    if (take(s, '.') && !slow_digits(s))
        return false;
    if (take(s, 'e') || take(s, 'E')) {
        (void)(take(s, '+') || take(s, '-'));
        return slow_digits(s);
    }
    return true;
}

static bool slow_escape(struct slow *s)
{
    if (s->p == s->end || *s->p == '\0' || strchr("\"\\/bfnrtu", *s->p) == NULL)
        return false;
    bool unicode = *s->p++ == 'u';
    for (int i = 0; unicode && i < 4; i++) {
        if (s->p == s->end || *s->p == '\0' || strchr("0123456789abcdefABCDEF", *s->p) == NULL)
            return false;
        s->p++;
    }
    return true;
}

static bool slow_character(struct slow *s)
{
    for (size_t n = 1; n <= 4; n++) {
        bool cut = false;
        if (n > (size_t)(s->end - s->p)) {
            s->p = s->end;
            return false;
        }
        size_t len = eve_utf8_length(s->p, n, &cut);
        if (len == n || !cut) { /* whole, or wrong by its last byte */
            s->p += len == n ? n : n - 1;
            return len == n;
        }
    }
    return false;
}

static bool slow_string(struct slow *s)
{
    if (!take(s, '"'))
        return false;
    while (s->p < s->end && *s->p != '"') {
        if ((unsigned char)*s->p < 0x20)
            return false;
        if (take(s, '\\') ? !slow_escape(s) : !slow_character(s))
            return false;
    }
    return take(s, '"');
}

static bool slow_word(struct slow *s, const char *word)
{
    while (*word != '\0' && take(s, *word))
        word++;
    return *word == '\0';
}

static bool slow_member(struct slow *s, int depth)
{
    struct eve_slice name = {s->p, 0};
    if (!slow_string(s))
        return false;
    name.n = (size_t)(s->p - name.p);
    slow_space(s);
    if (!take(s, ':'))
        return false;
    slow_space(s);
    const char *from = s->p;
    if (!slow_value(s, depth))
        return false;
    if (depth == 1 && s->members < 64) {
        s->name[s->members] = name;
        s->value[s->members++] = (struct eve_slice){from, (size_t)(s->p - from)};
    }
    return true;
}

static bool slow_list(struct slow *s, char close, int depth)
{
    slow_space(s);
    if (take(s, close))
        return true;
    for (;;) {
        slow_space(s);
        if (close == '}' ? !slow_member(s, depth) : !slow_value(s, depth))
            return false;
        slow_space(s);
        if (take(s, close))
            return true;
        if (!take(s, ','))
            return false;
    }
}

static bool slow_value(struct slow *s, int depth)
{
    if (at(s, '"'))
        return slow_string(s);
    if (take(s, '{'))
        return slow_list(s, '}', depth + 1);
    if (take(s, '['))
        return slow_list(s, ']', depth + 1);
    if (at(s, 't'))
        return slow_word(s, "true");
    if (at(s, 'f'))
        return slow_word(s, "false");
    if (at(s, 'n'))
        return slow_word(s, "null");
    return slow_number(s);
}

static bool slow_text(struct slow *s, struct eve_slice text)
{
    *s = (struct slow){.p = text.p, .end = text.p + text.n};
    slow_space(s);
    if (!slow_value(s, 0))
        return false;
    slow_space(s);
    return s->p == s->end;
}

#endif
