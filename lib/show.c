#include "show.h"

#include "spell.h"
#include "str.h"
#include "text.h"

#include <string.h>

/* Bytes of a piece: a few writes' worth is enough. */
enum { PIECE = 16 * 1024 };

/* Where the piece that begins at `at` ends: between two characters, and not in an escape. */
static size_t piece_end(struct eve_slice text, size_t at, bool escapes)
{
    struct eve_slice rest = eve_str_sub(text, at, text.n);
    size_t n = rest.n < PIECE ? rest.n : PIECE;
    while (n < rest.n && (((unsigned char)rest.p[n] & 0xC0) == 0x80 ||
                          (escapes && !eve_text_is_boundary(rest, n)))) {
        n--;
    }
    return at + n;
}

/* Write what is in the scratch buffer, in lines. */
static enum eve_status put_lines(const struct eve_show *s, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    struct eve_slice rest = eve_buf_slice(s->buf);
    for (size_t i = 0; s->one_line && i < rest.n; i++) {
        bool ends_line = rest.p[i] == '\n' || rest.p[i] == '\r';
        s->buf->p[i] = ends_line ? ' ' : rest.p[i];
    }
    while (status == EVE_OK && rest.n > 0) {
        const char *lf = s->mark != NULL ? memchr(rest.p, '\n', rest.n) : NULL;
        size_t n = lf != NULL ? (size_t)(lf - rest.p) + 1 : rest.n;
        status = eve_out_put(s->out, eve_str_sub(rest, 0, n), err);
        if (status == EVE_OK && lf != NULL) {
            status = eve_out_put(s->out, eve_str(s->mark), err);
        }
        rest = eve_str_sub(rest, n, rest.n);
    }
    return status;
}

static enum eve_status show(const struct eve_show *s, struct eve_slice text, bool spelled,
                            struct eve_err *err)
{
    enum eve_status status = s->mark != NULL ? eve_out_put(s->out, eve_str(s->mark), err) : EVE_OK;
    size_t end = 0;
    for (size_t at = 0; at < text.n && status == EVE_OK; at = end) {
        end = piece_end(text, at, spelled);
        struct eve_slice piece = eve_str_sub(text, at, end);
        s->buf->n = 0;
        if (spelled) {
            status = eve_spell_to_text(s->buf, piece, s->guard, err);
        } else {
            status =
                s->guard ? eve_spell_guard(s->buf, piece, err) : eve_buf_put(s->buf, piece, err);
        }
        status = status == EVE_OK ? put_lines(s, err) : status;
    }
    return status;
}

enum eve_status eve_show_text(const struct eve_show *s, struct eve_slice spelled,
                              struct eve_err *err)
{
    return show(s, spelled, true, err);
}

enum eve_status eve_show_plain(const struct eve_show *s, struct eve_slice plain,
                               struct eve_err *err)
{
    return show(s, plain, false, err);
}
