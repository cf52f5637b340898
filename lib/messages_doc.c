#include "messages_doc.h"

#include "key.h"
#include "mem.h"
#include "messages.h"
#include "messages_call.h"
#include "messages_spell.h"
#include "num.h"
#include "str.h"
#include "text.h"

size_t eve_messages_values(enum eve_messages_kind kind)
{
    static const unsigned char counts[EVE_PART_KINDS] = {
        [EVE_PART_TEXT] = EVE_RUN_VALUES,  [EVE_PART_REASONING] = EVE_RUN_VALUES,
        [EVE_PART_FILE] = EVE_FILE_VALUES, [EVE_PART_AUTHORIZATION] = EVE_AUTH_VALUES,
        [EVE_PART_TOOL] = EVE_TOOL_VALUES,
    };
    return counts[kind];
}

void eve_messages_refuse(struct eve_messages_at *at, struct eve_json_value value, const char *msg)
{
    const char *where = value.kind != EVE_JSON_NONE ? value.p : at->data.p;
    size_t pos = (size_t)((where != NULL ? where : at->ev->text.p) - at->ev->line.p);
    if (at->status == EVE_OK) {
        at->status = eve_fail(at->err, EVE_BAD, EVE_RULE_BAD_DATA, msg, pos, 0);
    }
}

struct eve_json_value eve_messages_data(const struct eve_messages_at *at, const char *name)
{
    return eve_event_find(at->data, name);
}

void eve_messages_drop(struct eve_messages_kept *k)
{
    eve_mem_free(k->p);
    *k = (struct eve_messages_kept){0};
}

void eve_messages_move(struct eve_messages_kept *to, struct eve_messages_kept *from)
{
    struct eve_messages_kept value = *from;
    *from = (struct eve_messages_kept){0};
    eve_messages_drop(to);
    *to = value;
}

static void keep_bytes(struct eve_messages_at *at, struct eve_messages_kept *k,
                       struct eve_slice bytes, bool quote)
{
    struct eve_messages_kept copy = {0};
    if (at->status != EVE_OK) {
        return;
    }
    copy.n = bytes.n + (quote ? 2 : 0);
    at->status = eve_mem_resize(&copy.p, copy.n + 1, 1, at->err);
    if (at->status != EVE_OK) {
        return;
    }
    if (bytes.n > 0) {
        memcpy(copy.p + (quote ? 1 : 0), bytes.p, bytes.n);
    }
    if (quote) {
        copy.p[0] = copy.p[copy.n - 1] = '"';
    }
    copy.p[copy.n] = '\0';
    eve_messages_move(k, &copy);
}

void eve_messages_keep(struct eve_messages_at *at, struct eve_messages_kept *k,
                       struct eve_json_value value)
{
    if (value.kind == EVE_JSON_NONE) {
        eve_messages_drop(k);
    } else {
        keep_bytes(at, k, (struct eve_slice){value.p, value.n}, false);
    }
}

void eve_messages_keep_text(struct eve_messages_at *at, struct eve_messages_kept *k,
                            struct eve_slice text)
{
    keep_bytes(at, k, text, true);
}

struct eve_json_value eve_messages_value(const struct eve_messages_kept *k)
{
    struct eve_json_value value = {k->p, k->n, EVE_JSON_NONE, false};
    if (k->p == NULL) {
        return value;
    }
    switch (k->p[0]) {
    case '"':
        value.kind = EVE_JSON_STRING;
        value.escaped = memchr(k->p, '\\', k->n) != NULL;
        break;
    case '{':
        value.kind = EVE_JSON_OBJECT;
        break;
    case '[':
        value.kind = EVE_JSON_ARRAY;
        break;
    case 't':
        value.kind = EVE_JSON_TRUE;
        break;
    case 'f':
        value.kind = EVE_JSON_FALSE;
        break;
    case 'n':
        value.kind = EVE_JSON_NULL;
        break;
    default:
        value.kind = EVE_JSON_NUMBER;
    }
    return value;
}

bool eve_messages_given(struct eve_json_value value)
{
    return value.kind != EVE_JSON_NONE && value.kind != EVE_JSON_NULL;
}

void eve_messages_begin_text(struct eve_messages_at *at)
{
    eve_buf_clear(&at->m->text, 65536);
}

void eve_messages_add(struct eve_messages_at *at, const char *literal)
{
    if (at->status == EVE_OK) {
        at->status = eve_buf_puts(&at->m->text, literal, at->err);
    }
}

void eve_messages_add_value(struct eve_messages_at *at, struct eve_json_value value)
{
    if (at->status == EVE_OK) {
        at->status = eve_messages_spell_value(&at->m->text, value, at->err);
    }
}

void eve_messages_add_raw(struct eve_messages_at *at, struct eve_json_value value)
{
    if (at->status == EVE_OK) {
        at->status = eve_buf_put(&at->m->text, (struct eve_slice){value.p, value.n}, at->err);
    }
}

void eve_messages_begin_key(struct eve_messages_at *at)
{
    uint64_t talk = at->talk;
    eve_buf_clear(&at->m->key, 65536);
    if (at->status == EVE_OK) {
        at->status =
            eve_buf_put(&at->m->key, (struct eve_slice){(char *)&talk, sizeof talk}, at->err);
    }
}

void eve_messages_key(struct eve_messages_at *at, struct eve_json_value value)
{
    if (at->status == EVE_OK) {
        at->status = eve_key_put(&at->m->key, value, at->err);
    }
}

void eve_messages_name_key(struct eve_messages_at *at, struct eve_json_value value)
{
    struct eve_buf name;
    if (value.kind == EVE_JSON_STRING || at->status != EVE_OK) {
        eve_messages_key(at, value);
        return;
    }
    eve_buf_init(&name, SIZE_MAX / 2);
    at->status = eve_buf_putc(&name, '"', at->err);
    if (at->status == EVE_OK) {
        at->status = eve_messages_spell_value(&name, value, at->err);
    }
    if (at->status == EVE_OK) {
        at->status = eve_buf_putc(&name, '"', at->err);
    }
    eve_messages_key(at, (struct eve_json_value){name.p, name.n, EVE_JSON_STRING, false});
    eve_buf_fini(&name);
}

void *eve_messages_get(const struct eve_messages_at *at, const struct eve_map *map)
{
    struct eve_map_entry *entry =
        at->status == EVE_OK ? eve_map_get(map, eve_buf_slice(&at->m->key)) : NULL;
    return entry != NULL ? (void *)(uintptr_t)entry->value : NULL;
}

struct eve_map_entry *eve_messages_put(struct eve_messages_at *at, struct eve_map *map)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    if (at->status == EVE_OK) {
        at->status = eve_map_put(map, eve_buf_slice(&at->m->key), &entry, &added, at->err);
    }
    return at->status == EVE_OK ? entry : NULL;
}

struct eve_messages_message *eve_messages_first(const struct eve_messages_at *at)
{
    return at->talk < at->m->talk_count ? at->m->talks[at->talk].first : NULL;
}

struct eve_messages_message *eve_messages_last(const struct eve_messages_at *at)
{
    return at->talk < at->m->talk_count ? at->m->talks[at->talk].last : NULL;
}

/* Take the part out of the list of its call. */
static void leave_call(struct eve_messages_part *part)
{
    struct eve_messages_part **p = &part->call->parts;
    while (*p != part) {
        p = &(*p)->chain;
    }
    *p = part->chain;
}

/* Take the part out of the open runs of its message, if it is one of them. */
static void leave_open(struct eve_messages_part *part)
{
    if (part->newer == NULL && part->message->open != part) {
        return;
    }
    *(part->newer != NULL ? &part->newer->chain : &part->message->open) = part->chain;
    if (part->chain != NULL) {
        part->chain->newer = part->newer;
    }
    part->chain = part->newer = NULL;
}

void eve_messages_remove_part(struct eve_messages_part *part)
{
    struct eve_messages_message *message = part->message;
    if (part->call != NULL) {
        leave_call(part);
    } else if (part->kind == EVE_PART_TEXT || part->kind == EVE_PART_REASONING) {
        leave_open(part);
    }
    *(part->before != NULL ? &part->before->after : &message->first) = part->after;
    *(part->after != NULL ? &part->after->before : &message->last) = part->before;
    message->parts -= part->kind == EVE_PART_STEP ? part->count : 1;
    for (size_t i = 0; i < eve_messages_values(part->kind); i++) {
        eve_messages_drop(&part->v[i]);
    }
    eve_mem_free(part);
}

struct eve_messages_part *eve_messages_add_part(struct eve_messages_at *at,
                                                struct eve_messages_message *message,
                                                enum eve_messages_kind kind)
{
    struct eve_messages_part *part = NULL;
    size_t size = sizeof *part + eve_messages_values(kind) * sizeof *part->v;
    if (at->status == EVE_OK) {
        at->status = eve_mem_resize(&part, 1, size, at->err);
    }
    if (at->status != EVE_OK) {
        return NULL;
    }
    memset(part, 0, size);
    part->kind = kind;
    part->message = message;
    part->before = message->last;
    *(message->last != NULL ? &message->last->after : &message->first) = part;
    message->last = part;
    message->parts += kind == EVE_PART_STEP ? 0 : 1;
    return part;
}

void eve_messages_append(struct eve_messages_at *at, struct eve_messages_part *part, size_t value,
                         struct eve_slice text)
{
    struct eve_messages_kept *k = &part->v[value];
    if (at->status != EVE_OK) {
        return;
    }
    size_t from = k->p != NULL ? k->n - 1 : 1; /* over the closing quote */
    size_t need = from + text.n + 2;
    if (k->p == NULL || need > part->count) {
        size_t cap = eve_mem_grow(part->count, need, 64, SIZE_MAX / 2);
        at->status = eve_mem_resize(&k->p, cap, 1, at->err);
        if (at->status != EVE_OK) {
            return;
        }
        part->count = cap;
    }
    k->p[0] = '"';
    memcpy(k->p + from, text.p, text.n);
    k->n = from + text.n + 1;
    k->p[k->n - 1] = '"';
    k->p[k->n] = '\0';
}

void eve_messages_close_run(struct eve_messages_at *at, struct eve_messages_part *run)
{
    struct eve_messages_kept *text = &run->v[EVE_RUN_TEXT];
    leave_open(run);
    run->state = EVE_STATE_DONE;
    if (text->p != NULL && text->n + 1 < run->count && at->status == EVE_OK) {
        at->status = eve_mem_resize(&text->p, text->n + 1, 1, at->err);
    }
    run->count = 0;
}

void eve_messages_ensure_steps(struct eve_messages_at *at, struct eve_messages_message *message,
                               struct eve_json_value step)
{
    uint64_t index = 0;
    struct eve_num num = {0};
    if (message == NULL || step.kind == EVE_JSON_NONE) {
        return; /* not a number: no step is over it */
    }
    if (step.kind == EVE_JSON_NUMBER) {
        eve_num_parse((struct eve_slice){step.p, step.n}, &num);
    }
    if (num.negative) {
        return;
    }
    for (const char *p = num.first; p != NULL && num.exponent > 0; num.exponent--) {
        p += p <= num.last && *p == '.' ? 1 : 0;
        index = index * 10 + (p <= num.last ? (unsigned)(*p++ - '0') : 0);
    }
    if (message->steps > index) {
        return;
    }
    struct eve_messages_part *part = message->last;
    if (part == NULL || part->kind != EVE_PART_STEP) {
        part = eve_messages_add_part(at, message, EVE_PART_STEP);
    }
    if (part != NULL) {
        size_t more = (size_t)index + 1 - message->steps;
        part->count += more;
        message->steps += more;
        message->parts += more;
    }
}

static void empty(struct eve_messages_message *message)
{
    while (message->first != NULL) {
        eve_messages_remove_part(message->first);
    }
    eve_messages_drop(&message->turn);
    eve_messages_drop(&message->result);
    message->steps = 0;
    message->optimistic = false;
}

/* The authorizations that the message still requires go with it. */
static void forget_required(struct eve_messages_at *at, const struct eve_messages_message *message)
{
    for (const struct eve_messages_part *part = message->first; part != NULL; part = part->after) {
        at->m->required -= part->state == EVE_STATE_REQUIRED ? 1 : 0;
    }
}

/* An empty message whose id is the text built: the one that has it, else a new one before `next`
 * (NULL: at the end). */
static struct eve_messages_message *
make(struct eve_messages_at *at, struct eve_messages_message *next, struct eve_map_entry *entry)
{
    struct eve_messages_message *message = NULL;
    struct eve_messages_talk *talk = &at->m->talks[at->talk];
    if (entry == NULL || entry->value != 0) {
        message = entry != NULL ? (struct eve_messages_message *)(uintptr_t)entry->value : NULL;
        if (message != NULL) {
            forget_required(at, message);
            empty(message);
            message->made = ++at->m->made;
        }
        return message;
    }
    at->status = eve_mem_resize(&message, 1, sizeof *message, at->err);
    if (at->status != EVE_OK) {
        return NULL;
    }
    *message = (struct eve_messages_message){.after = next, .made = ++at->m->made};
    message->before = next != NULL ? next->before : talk->last;
    *(message->before != NULL ? &message->before->after : &talk->first) = message;
    *(next != NULL ? &next->before : &talk->last) = message;
    entry->value = (uint64_t)(uintptr_t)message;
    eve_messages_keep_text(at, &message->id, eve_buf_slice(&at->m->text));
    return at->status == EVE_OK ? message : NULL;
}

/* The key of the id that is the text built. */
static struct eve_map_entry *id_entry(struct eve_messages_at *at)
{
    struct eve_buf *text = &at->m->text;
    struct eve_messages_kept id = {0};
    eve_messages_keep_text(at, &id, eve_buf_slice(text));
    eve_messages_begin_key(at);
    eve_messages_key(at, eve_messages_value(&id));
    eve_messages_drop(&id);
    return eve_messages_put(at, &at->m->ids);
}

struct eve_messages_message *eve_messages_find_assistant(struct eve_messages_at *at,
                                                         struct eve_json_value turn)
{
    eve_messages_begin_key(at);
    eve_messages_key(at, turn);
    return eve_messages_get(at, &at->m->turns);
}

struct eve_messages_message *eve_messages_assistant(struct eve_messages_at *at,
                                                    struct eve_json_value turn)
{
    struct eve_messages_message *message = eve_messages_find_assistant(at, turn);
    if (message != NULL || at->status != EVE_OK) {
        return message;
    }
    eve_messages_begin_text(at);
    eve_messages_add_value(at, turn);
    eve_messages_add(at, ":assistant");
    struct eve_map_entry *entry = id_entry(at);
    if (entry != NULL && entry->value != 0) { /* a turn that only reads the same: it is no more */
        message = (struct eve_messages_message *)(uintptr_t)entry->value;
        eve_messages_begin_key(at);
        eve_messages_key(at, eve_messages_value(&message->turn));
        struct eve_map_entry *other = eve_messages_put(at, &at->m->turns);
        if (other != NULL) {
            other->value = 0;
        }
    }
    message = make(at, NULL, entry);
    if (message == NULL) {
        return NULL;
    }
    message->status = EVE_MESSAGE_STREAMING;
    message->ordinal = message->ordinal != 0 ? message->ordinal : message->made;
    eve_messages_keep(at, &message->turn, turn);
    eve_messages_begin_key(at);
    eve_messages_key(at, turn);
    entry = eve_messages_put(at, &at->m->turns);
    if (entry != NULL) {
        entry->value = (uint64_t)(uintptr_t)message;
    }
    return at->status == EVE_OK ? message : NULL;
}

struct eve_messages_message *eve_messages_user(struct eve_messages_at *at)
{
    struct eve_messages_message *next =
        at->turn.kind != EVE_JSON_NONE ? eve_messages_find_assistant(at, at->turn) : NULL;
    struct eve_messages_message *message = make(at, next, id_entry(at));
    if (message != NULL) {
        message->user = true;
    }
    return message;
}

void eve_messages_free_talks(struct eve_messages *m)
{
    for (size_t i = 0; i < m->talk_count; i++) {
        struct eve_messages_talk *talk = &m->talks[i];
        while (talk->first != NULL) {
            struct eve_messages_message *message = talk->first;
            talk->first = message->after;
            empty(message);
            eve_messages_drop(&message->id);
            eve_mem_free(message);
        }
        eve_messages_drop(&talk->group);
    }
    eve_mem_free(m->talks);
    m->talks = NULL;
    m->talk_count = m->talk_cap = 0;
}
