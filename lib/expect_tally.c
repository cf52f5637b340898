#include "expect_tally.h"

#include "block.h"
#include "key.h"
#include "mem.h"
#include "str.h"
#include "text.h"

#include <errno.h>

enum { ALL_VERSIONS = (1 << (EVE_VERSION_MAX - EVE_VERSION_MIN + 1)) - 1, FIRST_ROOM = 16 };

void eve_expect_tally_init(struct eve_expect_tally *s, const uint64_t seed[2])
{
    *s = (struct eve_expect_tally){.versions = ALL_VERSIONS};
    eve_map_init(&s->types, seed);
    eve_map_init(&s->keys, seed);
    eve_arena_init(&s->arena);
    eve_buf_init(&s->scratch, SIZE_MAX / 2);
    eve_buf_init(&s->order, SIZE_MAX / 2);
}

static void drop_turns(struct eve_expect_tally *s)
{
    for (size_t i = 0; i < s->turn_count; i++) {
        eve_buf_fini(&s->turns[i].text);
        eve_buf_fini(&s->turns[i].result);
        eve_buf_fini(&s->turns[i].reasons);
    }
    s->turn_count = 0;
}

void eve_expect_tally_fini(struct eve_expect_tally *s)
{
    drop_turns(s);
    eve_map_fini(&s->types);
    eve_map_fini(&s->keys);
    eve_mem_free(s->turns);
    eve_mem_free(s->calls);
    eve_arena_fini(&s->arena);
    eve_buf_fini(&s->scratch);
    eve_buf_fini(&s->order);
}

void eve_expect_tally_clear(struct eve_expect_tally *s)
{
    drop_turns(s);
    eve_map_clear(&s->types);
    eve_map_clear(&s->keys);
    eve_arena_reset(&s->arena);
    s->order.n = s->order_count = 0;
    s->call_count = 0;
    s->events = 0;
    s->versions = ALL_VERSIONS;
}

/* Room for one more item of `size` bytes in a list. */
static enum eve_status make_room(void *list, size_t count, size_t *cap, size_t size,
                                 struct eve_err *err)
{
    if (count < *cap) {
        return EVE_OK;
    }
    size_t more = eve_mem_grow(*cap, count + 1, FIRST_ROOM, SIZE_MAX / size);
    if (more == 0) {
        return eve_fail(err, EVE_FAIL, EVE_RULE_NONE, "out of memory", 0, ENOMEM);
    }
    enum eve_status status = eve_mem_resize(list, more, size, err);
    *cap = status == EVE_OK ? more : *cap;
    return status;
}

static enum eve_status count_type(struct eve_expect_tally *s, const struct eve_event *ev,
                                  struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    s->scratch.n = 0;
    enum eve_status status = eve_text_decode(eve_text_of(ev->type_value), &s->scratch, err);
    if (status == EVE_OK) {
        status = eve_map_put(&s->types, eve_buf_slice(&s->scratch), &entry, &added, err);
    }
    if (status == EVE_OK) {
        entry->value++;
        s->events++;
    }
    return status;
}

/* Which versions the event fits, by its type and its form. */
static unsigned fits(const struct eve_event *ev, const struct eve_decoder *d, unsigned declared)
{
    unsigned mask = 0;
    for (unsigned v = EVE_VERSION_MIN; v <= EVE_VERSION_MAX; v++) {
        bool legacy_version = v <= 24;
        bool fit = ev->type == EVE_EVENT_OTHER || eve_event_type_in(ev->type, v);
        if (ev->type <= EVE_EVENT_INPUT_APPENDED && d->legacy != legacy_version) {
            fit = false;
        }
        if (declared != EVE_VERSION_AUTO && declared != v) {
            fit = false;
        }
        mask |= fit ? 1u << (v - EVE_VERSION_MIN) : 0;
    }
    return mask;
}

/* The turn of the event; made if `make`. *out is NULL if there is none. */
static enum eve_status find_turn(struct eve_expect_tally *s, const struct eve_event *ev, bool make,
                                 struct eve_expect_tally_turn **out, struct eve_err *err)
{
    struct eve_json_value id = eve_event_value(ev, EVE_FIELD_TURN_ID);
    struct eve_map_entry *entry = NULL;
    bool added = false;
    *out = NULL;
    if (id.kind != EVE_JSON_STRING) {
        return EVE_OK;
    }
    s->scratch.n = 0;
    enum eve_status status = eve_key_put(&s->scratch, ev->group, err);
    if (status == EVE_OK) {
        status = eve_key_put(&s->scratch, id, err);
    }
    if (status == EVE_OK && !make) {
        entry = eve_map_get(&s->keys, eve_buf_slice(&s->scratch));
        *out = entry != NULL ? &s->turns[entry->value] : NULL;
        return EVE_OK;
    }
    if (status == EVE_OK) {
        status = make_room(&s->turns, s->turn_count, &s->turn_cap, sizeof *s->turns, err);
    }
    if (status == EVE_OK) {
        status = eve_map_put(&s->keys, eve_buf_slice(&s->scratch), &entry, &added, err);
    }
    if (status == EVE_OK && added) {
        struct eve_expect_tally_turn *turn = &s->turns[s->turn_count];
        *turn = (struct eve_expect_tally_turn){.status = EVE_EXPECT_TALLY_OPEN};
        eve_buf_init(&turn->text, SIZE_MAX / 2);
        eve_buf_init(&turn->result, SIZE_MAX / 2);
        eve_buf_init(&turn->reasons, SIZE_MAX / 2);
        entry->value = s->turn_count++;
        status = eve_arena_copy(&s->arena, (struct eve_slice){id.p, id.n}, &turn->id, err);
    }
    *out = status == EVE_OK ? &s->turns[entry->value] : NULL;
    return status;
}

static enum eve_status set(struct eve_buf *out, struct eve_json_value value, struct eve_err *err)
{
    out->n = 0;
    return eve_buf_put(out, (struct eve_slice){value.p, value.n}, err);
}

static enum eve_status take_message(struct eve_expect_tally_turn *turn, const struct eve_event *ev,
                                    struct eve_err *err)
{
    struct eve_json_value message = eve_event_value(ev, EVE_FIELD_MESSAGE);
    struct eve_json_value reason = eve_event_value(ev, EVE_FIELD_FINISH_REASON);
    enum eve_status status = EVE_OK;
    bool is_string = reason.kind == EVE_JSON_STRING;
    if (is_string && turn->reasons.n > 0) {
        status = eve_buf_putc(&turn->reasons, ',', err);
    }
    if (status == EVE_OK && is_string) {
        status = eve_buf_put(&turn->reasons, (struct eve_slice){reason.p, reason.n}, err);
    }
    bool is_final = !eve_text_is(reason, "tool-calls");
    return status == EVE_OK && is_final && message.kind == EVE_JSON_STRING
               ? set(&turn->text, message, err)
               : status;
}

/* The turn goes by the event. */
static enum eve_status change_turn(struct eve_expect_tally_turn *turn, const struct eve_event *ev,
                                   struct eve_err *err)
{
    switch (ev->type) {
    case EVE_EVENT_TURN_COMPLETED:
        turn->status = EVE_EXPECT_TALLY_COMPLETED;
        return EVE_OK;
    case EVE_EVENT_TURN_FAILED:
        turn->status = EVE_EXPECT_TALLY_FAILED;
        return EVE_OK;
    case EVE_EVENT_TURN_CANCELLED:
        turn->status = EVE_EXPECT_TALLY_CANCELLED;
        return EVE_OK;
    case EVE_EVENT_TURN_WAITING:
        turn->status = EVE_EXPECT_TALLY_WAITING;
        return EVE_OK;
    case EVE_EVENT_TURN_STARTED:
        turn->status = EVE_EXPECT_TALLY_OPEN;
        return EVE_OK;
    case EVE_EVENT_STEP_STARTED:
        turn->status =
            turn->status == EVE_EXPECT_TALLY_WAITING ? EVE_EXPECT_TALLY_OPEN : turn->status;
        return EVE_OK;
    case EVE_EVENT_MESSAGE_COMPLETED:
        return take_message(turn, ev, err);
    case EVE_EVENT_RESULT_COMPLETED:
        return set(&turn->result, eve_event_value(ev, EVE_FIELD_RESULT), err);
    default:
        return EVE_OK;
    }
}

static bool is_of_turn(enum eve_event_type type)
{
    switch (type) {
    case EVE_EVENT_TURN_COMPLETED:
    case EVE_EVENT_TURN_FAILED:
    case EVE_EVENT_TURN_CANCELLED:
    case EVE_EVENT_TURN_WAITING:
    case EVE_EVENT_TURN_STARTED:
    case EVE_EVENT_STEP_STARTED:
    case EVE_EVENT_MESSAGE_COMPLETED:
    case EVE_EVENT_RESULT_COMPLETED:
        return true;
    default:
        return false;
    }
}

static enum eve_status add_call(struct eve_expect_tally *s, struct eve_json_value action,
                                struct eve_err *err)
{
    static const char *const names[] = {"toolName", "subagentName", "name"};
    struct eve_json_value name = {0};
    struct eve_json_value input = eve_event_find(action, "input");
    struct eve_expect_tally_call call = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct eve_json_value found = eve_event_find(action, names[i]);
        if (found.kind == EVE_JSON_STRING) {
            name = found;
            break;
        }
    }
    enum eve_status status =
        make_room(&s->calls, s->call_count, &s->call_cap, sizeof *s->calls, err);
    if (status == EVE_OK && name.kind == EVE_JSON_STRING) {
        status = eve_arena_copy(&s->arena, (struct eve_slice){name.p, name.n}, &call.name, err);
    }
    if (status == EVE_OK && input.kind != EVE_JSON_NONE) {
        status = eve_arena_copy(&s->arena, (struct eve_slice){input.p, input.n}, &call.input, err);
    }
    if (status == EVE_OK) {
        s->calls[s->call_count++] = call;
    }
    return status;
}

/* Note the type in the order of types. */
static enum eve_status add_order(struct eve_expect_tally *s, const struct eve_event *ev,
                                 struct eve_err *err)
{
    struct eve_slice type = {ev->type_value.p, ev->type_value.n};
    size_t n = s->order.n;
    if (ev->type <= EVE_EVENT_ACTION_PARTIAL || s->order_count == EVE_EXPECT_TALLY_ORDER ||
        (n >= type.n && memcmp(s->order.p + n - type.n, type.p, type.n) == 0)) {
        return EVE_OK;
    }
    enum eve_status status = n > 0 ? eve_buf_putc(&s->order, ',', err) : EVE_OK;
    s->order_count++;
    return status == EVE_OK ? eve_buf_put(&s->order, type, err) : status;
}

enum eve_status eve_expect_tally_event(struct eve_expect_tally *s, const struct eve_event *ev,
                                       const struct eve_decoder *d, unsigned version, uint64_t line,
                                       uint64_t index, struct eve_err *err)
{
    struct eve_expect_tally_turn *turn = NULL;
    enum eve_status status = count_type(s, ev, err);
    s->versions &= fits(ev, d, version);
    if (status == EVE_OK) {
        status = add_order(s, ev, err);
    }
    if (status == EVE_OK && is_of_turn(ev->type)) {
        status = find_turn(s, ev, ev->type != EVE_EVENT_STEP_STARTED, &turn, err);
    }
    if (status == EVE_OK && turn != NULL) {
        turn->line = line;
        turn->index = index;
        status = change_turn(turn, ev, err);
    }
    size_t at = 0;
    struct eve_json_value call;
    struct eve_json_value action;
    while (status == EVE_OK && ev->type == EVE_EVENT_ACTIONS_REQUESTED &&
           eve_block_call(ev, &at, &call, &action)) {
        status = add_call(s, action, err);
    }
    return status;
}

enum eve_status eve_expect_tally_count(struct eve_expect_tally *s, struct eve_json_value type,
                                       uint64_t *count, struct eve_err *err)
{
    if (eve_text_is(type, "*")) {
        *count = s->events;
        return EVE_OK;
    }
    s->scratch.n = 0;
    enum eve_status status = eve_text_decode(eve_text_of(type), &s->scratch, err);
    if (status == EVE_OK) {
        const struct eve_map_entry *entry = eve_map_get(&s->types, eve_buf_slice(&s->scratch));
        *count = entry != NULL ? entry->value : 0;
    }
    return status;
}

struct eve_slice eve_expect_tally_text(const struct eve_expect_tally_turn *turn)
{
    return eve_buf_slice(turn->text.n > 0 ? &turn->text : &turn->result);
}

const char *eve_expect_tally_status_name(enum eve_expect_tally_status status)
{
    static const char *const names[] = {[EVE_EXPECT_TALLY_OPEN] = "open",
                                        [EVE_EXPECT_TALLY_WAITING] = "waiting",
                                        [EVE_EXPECT_TALLY_COMPLETED] = "completed",
                                        [EVE_EXPECT_TALLY_FAILED] = "failed",
                                        [EVE_EXPECT_TALLY_CANCELLED] = "cancelled"};
    return names[status];
}
