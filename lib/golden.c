#include "golden.h"

#include "mem.h"
#include "quote.h"
#include "str.h"
#include "text.h"
#include "value.h"

/* After a difference the streams have to meet again within so many events. */
enum { REACH = 64 };

/* Bytes of a text that a message shows, and of them before the place where texts part. */
enum { SHOWN_BYTES = 60, SHOWN_BEFORE = 20 };

#define MORE "there are more differences, which are not shown"

struct eve_golden {
    struct eve_golden_options options;
    struct eve_flow *learned;
    struct eve_flow *here;
    struct eve_value a;
    struct eve_value b;
    struct eve_buf message;
    unsigned told; /* differences of the stream at hand */
};

/* The two lists while they are compared. */
struct sides {
    const struct eve_flow_item *a; /* golden */
    const struct eve_flow_item *b; /* here */
    size_t n;
    size_t m;
};

enum eve_status eve_golden_new(struct eve_golden **out, const struct eve_golden_options *options,
                               struct eve_err *err)
{
    struct eve_golden *g = NULL;
    enum eve_status status = eve_mem_resize(&g, 1, sizeof *g, err);
    if (status != EVE_OK) {
        return status;
    }
    *g = (struct eve_golden){.options = *options};
    eve_value_init(&g->a);
    eve_value_init(&g->b);
    eve_buf_init(&g->message, SIZE_MAX / 2);
    status = eve_flow_new(&g->learned, &g->options.flow, err);
    if (status == EVE_OK) {
        status = eve_flow_new(&g->here, &g->options.flow, err);
    }
    if (status != EVE_OK) {
        eve_golden_free(g);
        return status;
    }
    *out = g;
    return EVE_OK;
}

void eve_golden_free(struct eve_golden *g)
{
    if (g != NULL) {
        eve_flow_free(g->learned);
        eve_flow_free(g->here);
        eve_value_fini(&g->a);
        eve_value_fini(&g->b);
        eve_buf_fini(&g->message);
        eve_mem_free(g);
    }
}

enum eve_status eve_golden_learn(struct eve_golden *g, const struct eve_event *ev,
                                 const struct eve_decoder *d, uint64_t line, struct eve_err *err)
{
    return eve_flow_event(g->learned, ev, d, line, 0, err);
}

enum eve_status eve_golden_learned(struct eve_golden *g, struct eve_err *err)
{
    return eve_flow_end(g->learned, err);
}

enum eve_status eve_golden_event(struct eve_golden *g, const struct eve_event *ev,
                                 const struct eve_decoder *d, uint64_t line, uint64_t index,
                                 struct eve_err *err)
{
    return eve_flow_event(g->here, ev, d, line, index, err);
}

static enum eve_status say(struct eve_golden *g, const char *s, struct eve_err *err)
{
    return eve_buf_puts(&g->message, s, err);
}

/* Part of a JSON text, safe to show: about `at`, where it parts from another. */
static enum eve_status say_part(struct eve_golden *g, struct eve_slice json, size_t at,
                                struct eve_err *err)
{
    char shown[EVE_QUOTE_MAX];
    size_t from = at > SHOWN_BEFORE && json.n > SHOWN_BYTES ? at - SHOWN_BEFORE : 0;
    size_t to = json.n - from > SHOWN_BYTES ? from + SHOWN_BYTES : json.n;
    while (from > 0 && ((unsigned char)json.p[from] & 0xC0) == 0x80) {
        from--;
    }
    while (to < json.n && ((unsigned char)json.p[to] & 0xC0) == 0x80) {
        to++;
    }
    eve_quote(shown, sizeof shown, eve_str_sub(json, from, to), false);
    enum eve_status status = from > 0 ? say(g, "...", err) : EVE_OK;
    if (status == EVE_OK) {
        status = say(g, shown, err);
    }
    return status == EVE_OK && to < json.n ? say(g, "...", err) : status;
}

static size_t common(struct eve_slice a, struct eve_slice b)
{
    size_t i = 0;
    while (i < a.n && i < b.n && a.p[i] == b.p[i]) {
        i++;
    }
    return i;
}

/* " (line 12 of NAME)" */
static enum eve_status say_where(struct eve_golden *g, uint64_t line, struct eve_err *err)
{
    enum eve_status status = say(g, " (line ", err);
    if (status == EVE_OK) {
        status = eve_buf_put_u64(&g->message, line, err);
    }
    if (status == EVE_OK) {
        status = say(g, " of ", err);
    }
    if (status == EVE_OK) {
        status = say(g, g->options.name, err);
    }
    return status == EVE_OK ? say(g, ")", err) : status;
}

static enum eve_status say_type(struct eve_golden *g, struct eve_slice type, struct eve_err *err)
{
    char shown[EVE_QUOTE_MAX];
    eve_quote(shown, sizeof shown, eve_str_sub(type, 1, type.n - 1), false);
    return say(g, shown, err);
}

/* Tell what is in the message, about `item` of the stream at hand or about the line it is at. */
static enum eve_status tell(struct eve_golden *g, const struct eve_flow_item *item, uint64_t line,
                            struct eve_slice type, struct eve_err *err)
{
    enum eve_status status = eve_buf_putc(&g->message, '\0', err);
    if (status != EVE_OK) {
        return status;
    }
    struct eve_finding f = {.rule = EVE_RULE_GOLDEN,
                            .line = item != NULL ? item->line : line,
                            .message = g->message.p,
                            .event = item != NULL ? item->index : EVE_FINDING_NO_EVENT,
                            .type = type};
    if (item != NULL) {
        f.id = item->id;
    }
    g->told++;
    status = eve_finder_tell(g->options.finder, &f, err);
    g->message.n = 0;
    return status;
}

/* An item that only one side has. `here`: the stream at hand; else it is missing, at `line`. */
static enum eve_status tell_one(struct eve_golden *g, const struct eve_flow_item *item, bool here,
                                uint64_t line, struct eve_err *err)
{
    struct eve_slice shown = item->block ? item->said : item->spelled;
    enum eve_status status = say(g, here ? "+ " : "- ", err);
    if (status == EVE_OK) {
        status = say_type(g, item->type, err);
    }
    if (status == EVE_OK) {
        status = say(g, item->block ? " with the text \"" : " ", err);
    }
    if (status == EVE_OK) {
        status = say_part(g, shown, 0, err);
    }
    if (status == EVE_OK && item->block) {
        status = say(g, "\"", err);
    }
    if (status == EVE_OK && here) {
        status = say(g, ": not in ", err);
        status = status == EVE_OK ? say(g, g->options.name, err) : status;
    } else if (status == EVE_OK) {
        status = say(g, ": missing", err);
        status = status == EVE_OK ? say_where(g, item->line, err) : status;
    }
    return status == EVE_OK ? tell(g, here ? item : NULL, line, item->type, err) : status;
}

/* ": - OLD, + NEW"; one of them may be missing. */
static enum eve_status say_change(struct eve_golden *g, struct eve_slice a, struct eve_slice b,
                                  struct eve_err *err)
{
    size_t at = common(a, b);
    enum eve_status status = EVE_OK;
    if (a.p != NULL) {
        status = say(g, ": - ", err);
        status = status == EVE_OK ? say_part(g, a, at, err) : status;
    }
    if (status == EVE_OK && b.p != NULL) {
        status = say(g, a.p != NULL ? ", + " : ": + ", err);
        status = status == EVE_OK ? say_part(g, b, at, err) : status;
    }
    return status;
}

static struct eve_slice raw_of(const struct eve_value_node *node)
{
    return node != NULL ? (struct eve_slice){node->raw.p, node->raw.n} : (struct eve_slice){0};
}

/* The member in which two events differ, and how. */
static enum eve_status say_member(struct eve_golden *g, const struct eve_flow_item *a,
                                  const struct eve_flow_item *b, struct eve_err *err)
{
    const struct eve_value_node *x = NULL;
    const struct eve_value_node *y = NULL;
    enum eve_status status = eve_value_read(&g->a, a->spelled, err);
    if (status == EVE_OK) {
        status = eve_value_read(&g->b, b->spelled, err);
    }
    if (status != EVE_OK || !eve_value_differ(g->a.root, g->b.root, &x, &y)) {
        return status;
    }
    size_t from = g->message.n;
    status = say(g, "/", err);
    if (status == EVE_OK) {
        status = eve_value_path(x != NULL ? x : y, &g->message, err);
    }
    if (status == EVE_OK) { /* names are as the stream has them */
        char shown[EVE_QUOTE_MAX];
        eve_quote(shown, sizeof shown, eve_str_sub(eve_buf_slice(&g->message), from, g->message.n),
                  false);
        g->message.n = from;
        status = say(g, shown, err);
    }
    return status == EVE_OK ? say_change(g, raw_of(x), raw_of(y), err) : status;
}

/* Two items that stand for each other and differ. */
static enum eve_status tell_change(struct eve_golden *g, const struct eve_flow_item *a,
                                   const struct eve_flow_item *b, struct eve_err *err)
{
    enum eve_status status = say_type(g, b->type, err);
    if (status == EVE_OK && a->block && eve_str_equal(a->spelled, b->spelled)) {
        status = say(g, ", the text appended", err);
        status = status == EVE_OK ? say_change(g, a->said, b->said, err) : status;
    } else if (status == EVE_OK) {
        status = say_member(g, a, b, err);
    }
    if (status == EVE_OK) {
        status = say_where(g, a->line, err);
    }
    return status == EVE_OK ? tell(g, b, 0, b->type, err) : status;
}

static bool is_shown(const struct eve_golden *g)
{
    return g->told < EVE_GOLDEN_SHOWN;
}

/* The two may stand for each other. */
static bool is_pair(const struct eve_flow_item *a, const struct eve_flow_item *b)
{
    return a->block == b->block && eve_str_equal(a->type, b->type);
}

/* Tell a stretch in which the sides differ, from *i and *j on, as far as differences are shown:
 * what can stand for each other as changed, the rest as missing or too much. */
static enum eve_status tell_stretch(struct eve_golden *g, const struct sides *s, size_t *i,
                                    size_t *j, size_t i_end, size_t j_end, struct eve_err *err)
{
    enum eve_status status = EVE_OK;
    while ((*i < i_end || *j < j_end) && status == EVE_OK && is_shown(g)) {
        size_t mate = *j;
        while (*i < i_end && mate < j_end && !is_pair(&s->a[*i], &s->b[mate])) {
            mate++;
        }
        if (*i < i_end && mate < j_end && mate == *j) {
            status = tell_change(g, &s->a[(*i)++], &s->b[(*j)++], err);
        } else if (*i < i_end && mate == j_end) {
            size_t near = *j < s->m ? *j : s->m - 1;
            status = tell_one(g, &s->a[(*i)++], false, s->m > 0 ? s->b[near].line : 0, err);
        } else {
            status = tell_one(g, &s->b[(*j)++], true, 0, err);
        }
    }
    return status;
}

/* The sides say the same at i and j, or both are at their ends. */
static bool meet(const struct sides *s, size_t i, size_t j)
{
    if (i >= s->n || j >= s->m) {
        return i == s->n && j == s->m;
    }
    return eve_flow_same(&s->a[i], &s->b[j]);
}

/* Where the sides meet again after i and j: the nearest place, and of those the one that skips as
 * many on both sides. False: nowhere within reach. */
static bool find_meeting(const struct sides *s, size_t *i, size_t *j)
{
    for (size_t sum = 1; sum <= 2 * (size_t)REACH; sum++) {
        for (size_t apart = sum % 2; apart <= sum && (sum + apart) / 2 <= REACH; apart += 2) {
            size_t more = (sum + apart) / 2;
            size_t less = sum - more;
            if (meet(s, *i + more, *j + less)) {
                *i += more;
                *j += less;
                return true;
            }
            if (meet(s, *i + less, *j + more)) {
                *i += less;
                *j += more;
                return true;
            }
        }
    }
    return false;
}

static enum eve_status tell_rest(struct eve_golden *g, const char *text, struct eve_err *err)
{
    enum eve_status status = say(g, text, err);
    return status == EVE_OK ? tell(g, NULL, 0, (struct eve_slice){0}, err) : status;
}

static enum eve_status compare(struct eve_golden *g, const struct sides *s, struct eve_err *err)
{
    size_t i = 0;
    size_t j = 0;
    enum eve_status status = EVE_OK;
    while ((i < s->n || j < s->m) && status == EVE_OK) {
        if (i < s->n && j < s->m && eve_flow_same(&s->a[i], &s->b[j])) {
            i++;
            j++;
            continue;
        }
        if (!is_shown(g)) {
            return tell_rest(g, MORE, err);
        }
        size_t i_end = i;
        size_t j_end = j;
        bool found = find_meeting(s, &i_end, &j_end);
        if (!found) {
            i_end = i < s->n ? i + 1 : i;
            j_end = j < s->m ? j + 1 : j;
        }
        status = tell_stretch(g, s, &i, &j, i_end, j_end, err);
        bool whole = i == i_end && j == j_end;
        if (status == EVE_OK && whole && !found && (i < s->n || j < s->m)) {
            return tell_rest(g, "the streams part here and are not compared further", err);
        }
        if (status == EVE_OK && !whole) {
            return tell_rest(g, MORE, err);
        }
    }
    return status;
}

enum eve_status eve_golden_end(struct eve_golden *g, bool whole, struct eve_err *err)
{
    struct sides s = {0};
    enum eve_status status = whole ? eve_flow_end(g->here, err) : EVE_OK;
    g->told = 0;
    g->message.n = 0;
    if (status == EVE_OK && whole) {
        s.a = eve_flow_items(g->learned, &s.n);
        s.b = eve_flow_items(g->here, &s.m);
        status = compare(g, &s, err);
    }
    eve_flow_clear(g->here);
    return status;
}
