#include "chunk.h"

#include <string.h>

void eve_chunk_init(struct eve_chunk *c)
{
    *c = (struct eve_chunk){EVE_CHUNK_SIZE, 0, false};
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* After the line with the size: a size of 0 is the last chunk. */
static void size_line_done(struct eve_chunk *c)
{
    c->state = c->left > 0 ? EVE_CHUNK_DATA : EVE_CHUNK_TRAILER;
}

/* A byte of the size; false if it cannot stand there. */
static bool take_size(struct eve_chunk *c, char byte)
{
    int digit = hex_value(byte);
    if (digit >= 0) {
        if (c->left > UINT64_MAX >> 4) {
            return false;
        }
        c->left = c->left << 4 | (uint64_t)digit;
        c->digits = true;
        return true;
    }
    if (!c->digits) {
        return false;
    }
    if (byte == '\n') {
        size_line_done(c);
    } else if (byte == '\r' || byte == ';' || byte == ' ' || byte == '\t') {
        c->state = EVE_CHUNK_EXTENSION;
    } else {
        return false;
    }
    return true;
}

/* A byte that belongs to the framing; false if it cannot stand there. */
static bool take_framing(struct eve_chunk *c, char byte)
{
    switch (c->state) {
    case EVE_CHUNK_SIZE:
        return take_size(c, byte);
    case EVE_CHUNK_EXTENSION:
        if (byte == '\n') {
            size_line_done(c);
        }
        return true;
    case EVE_CHUNK_DATA_CR:
        if (byte == '\r') {
            c->state = EVE_CHUNK_DATA_LF;
            return true;
        }
        /* a bare LF is taken too */
        /* fall through */
    case EVE_CHUNK_DATA_LF:
        eve_chunk_init(c);
        return byte == '\n';
    case EVE_CHUNK_TRAILER:
        if (byte == '\n') {
            c->state = EVE_CHUNK_DONE;
        } else if (byte != '\r') {
            c->state = EVE_CHUNK_TRAILER_LINE;
        }
        return true;
    case EVE_CHUNK_TRAILER_LINE:
        if (byte == '\n') {
            c->state = EVE_CHUNK_TRAILER;
        }
        return true;
    case EVE_CHUNK_DATA:
    case EVE_CHUNK_DONE:
        break;
    }
    return true;
}

enum eve_status eve_chunk_decode(struct eve_chunk *c, char *p, size_t n, size_t *out,
                                 struct eve_err *err)
{
    size_t used = 0;
    size_t i = 0;
    while (i < n && c->state != EVE_CHUNK_DONE) {
        if (c->state == EVE_CHUNK_DATA) {
            size_t take = c->left < n - i ? (size_t)c->left : n - i;
            memmove(p + used, p + i, take);
            used += take;
            i += take;
            c->left -= take;
            if (c->left == 0) {
                c->state = EVE_CHUNK_DATA_CR;
            }
        } else if (take_framing(c, p[i])) {
            i++;
        } else {
            *out = used;
            return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "bad chunk in a chunked HTTP body", i, 0);
        }
    }
    *out = used;
    if (i < n) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE,
                        "there is data after the last chunk of the HTTP body", i, 0);
    }
    return c->state == EVE_CHUNK_DONE ? EVE_END : EVE_OK;
}
