#include "escape.h"

#include "str.h"
#include "utf8.h"

#include <stdio.h>

#define REPLACEMENT "\xEF\xBF\xBD"

/* Bytes that the spelling of one character takes at most. */
enum { ROOM = 16 };

/* One character on its way into a document: its code point and its bytes. */
struct character {
    uint32_t code;
    struct eve_slice bytes;
};

/* Take the character at `p`, of which `n` bytes may be read; what is not UTF-8 is taken byte by
 * byte, each as U+FFFD, but for half of a surrogate pair (see eve_text_decode), which is taken as
 * one. Returns how many bytes it took. */
static size_t take(const char *p, size_t n, struct character *c)
{
    bool cut = false;
    size_t len = eve_utf8_length(p, n, &cut);
    *c = (struct character){0xFFFD, eve_str(REPLACEMENT)};
    if (len == 0) {
        bool half = n >= 3 && (unsigned char)p[0] == 0xED && (p[1] & 0xE0) == 0xA0 &&
                    ((unsigned char)p[2] & 0xC0) == 0x80;
        return half ? 3 : 1;
    }
    *c = (struct character){eve_utf8_decode(p, len), {p, len}};
    return len;
}

/* Append the text that `spell` makes of each character. */
static enum eve_status put_all(struct eve_buf *out, struct eve_slice s,
                               struct eve_slice (*spell)(const struct character *c, char *room),
                               struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    char room[ROOM];
    for (size_t i = 0; i < s.n && status == EVE_OK;) {
        struct character c;
        i += take(s.p + i, s.n - i, &c);
        status = eve_buf_put(out, spell(&c, room), err);
    }
    return status;
}

/* The code of a character written out, in the forms that documents have for it. */
static struct eve_slice as_unicode(uint32_t code, char *room)
{
    (void)snprintf(room, ROOM, "\\u%04x", (unsigned)code);
    return eve_str(room);
}

static struct eve_slice as_reference(uint32_t code, char *room)
{
    (void)snprintf(room, ROOM, "&#%u;", (unsigned)code);
    return eve_str(room);
}

static struct eve_slice as_percent(uint32_t code, char *room)
{
    (void)snprintf(room, ROOM, "%%%02X", (unsigned)code);
    return eve_str(room);
}

/* Control characters, and the marks that YAML does not take as they stand. */
static struct eve_slice spell_json(const struct character *c, char *room)
{
    if (c->code == '"' || c->code == '\\') {
        room[0] = '\\';
        room[1] = (char)c->code;
        return (struct eve_slice){room, 2};
    }
    if (c->code == '\n') {
        return eve_str("\\n");
    }
    bool control = c->code < 0x20 || (c->code >= 0x7F && c->code < 0xA0);
    bool mark = c->code == 0x2028 || c->code == 0x2029 || c->code == 0xFEFF ||
                (c->code >= 0xFFFE && c->code <= 0xFFFF);
    return control || mark ? as_unicode(c->code, room) : c->bytes;
}

enum eve_status escape_json(struct eve_buf *out, struct eve_slice s, struct eve_err *err)
{
    size_t from = out->n;
    enum eve_status status = eve_buf_putc(out, '"', err);
    if (status == EVE_OK) {
        status = put_all(out, s, spell_json, err);
    }
    if (status == EVE_OK) {
        status = eve_buf_putc(out, '"', err);
    }
    out->n = status == EVE_OK ? out->n : from;
    return status;
}

static struct eve_slice spell_xml(const struct character *c, char *room)
{
    switch (c->code) {
    case '&':
        return eve_str("&amp;");
    case '<':
        return eve_str("&lt;");
    case '>':
        return eve_str("&gt;");
    case '"':
        return eve_str("&quot;");
    case '\t':
    case '\n':
    case '\r':
        return as_reference(c->code, room);
    default:
        break;
    }
    bool legal = c->code >= 0x20 && c->code != 0xFFFE && c->code != 0xFFFF;
    return legal ? c->bytes : eve_str(REPLACEMENT);
}

enum eve_status escape_xml(struct eve_buf *out, struct eve_slice s, struct eve_err *err)
{
    return put_all(out, s, spell_xml, err);
}

static struct eve_slice spell_text(const struct character *c, char *room)
{
    if (c->code >= 0x80 && c->code < 0xA0) {
        return eve_str(REPLACEMENT);
    }
    return c->code == '%' || c->code < 0x20 || c->code == 0x7F ? as_percent(c->code, room)
                                                               : c->bytes;
}

static struct eve_slice spell_property(const struct character *c, char *room)
{
    return c->code == ':' || c->code == ',' ? as_percent(c->code, room) : spell_text(c, room);
}

enum eve_status escape_github(struct eve_buf *out, struct eve_slice s, bool property,
                              struct eve_err *err)
{
    return put_all(out, s, property ? spell_property : spell_text, err);
}

static bool is_unreserved(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '.' || c == '_' || c == '~' || c == '/';
}

enum eve_status escape_uri(struct eve_buf *out, struct eve_slice s, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    char room[ROOM];
    for (size_t i = 0; i < s.n && status == EVE_OK; i++) {
        status = is_unreserved(s.p[i])
                     ? eve_buf_putc(out, s.p[i], err)
                     : eve_buf_put(out, as_percent((unsigned char)s.p[i], room), err);
    }
    return status;
}
