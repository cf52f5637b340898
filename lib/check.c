#include "check.h"

#include "check_hold.h"
#include "check_state.h"
#include "key.h"
#include "mem.h"
#include "members.h"
#include "str.h"
#include "text.h"

enum { KEEP_ROOM = 64 * 1024, FIRST_GROUPS = 4 };

enum eve_status eve_check_tell(struct eve_check *c, unsigned rule, bool explained, const char *at,
                               const char *message, struct eve_err *err)
{
    struct eve_finding f = {.rule = rule, .message = message, .explained = explained};
    c->told++;
    eve_finding_place(&f, c->ev, at, c->line, c->index);
    return eve_finder_tell(c->options.finder, &f, err);
}

enum eve_status eve_check_tell_at(struct eve_check *c, unsigned rule, bool explained,
                                  const struct eve_check_place *place, const char *message,
                                  struct eve_err *err)
{
    struct eve_words type;
    struct eve_finding f = {.rule = rule, .message = message, .explained = explained};
    f.line = place->line;
    f.event = place->event;
    if (place->type != EVE_EVENT_OTHER) {
        eve_words_init(&type, "\"");
        eve_words_put(&type, eve_event_type_name(place->type));
        eve_words_put(&type, "\"");
        f.type = (struct eve_slice){type.s, type.n};
    }
    return eve_finder_tell(c->options.finder, &f, err);
}

static void free_groups(struct eve_check *c)
{
    for (size_t i = 0; i < c->group_count; i++) {
        eve_buf_fini(&c->group_list[i]->step_key);
        eve_buf_fini(&c->group_list[i]->turn_key);
        eve_mem_free(c->group_list[i]);
    }
    c->group_count = 0;
    eve_map_clear(&c->groups);
}

/* A new group, the last of the list. */
static enum eve_status add_group(struct eve_check *c, struct eve_err *err)
{
    struct eve_check_group *g = NULL;
    enum eve_status status = EVE_OK;
    if (c->group_count == c->group_cap) {
        size_t cap = c->group_cap == 0 ? (size_t)FIRST_GROUPS : c->group_cap * 2;
        status = eve_mem_resize(&c->group_list, cap, sizeof(struct eve_check_group *), err);
        c->group_cap = status == EVE_OK ? cap : c->group_cap;
    }
    if (status == EVE_OK) {
        status = eve_mem_resize(&g, 1, sizeof *g, err);
    }
    if (status == EVE_OK) {
        *g = (struct eve_check_group){.number = (uint32_t)c->group_count};
        eve_buf_init(&g->step_key, SIZE_MAX / 2);
        eve_buf_init(&g->turn_key, SIZE_MAX / 2);
        c->group_list[c->group_count++] = g;
    }
    return status;
}

/* The group of the event at hand; 0 is that of events without the member. */
static enum eve_status find_group(struct eve_check *c, struct eve_err *err)
{
    struct eve_map_entry *entry = NULL;
    bool added = false;
    enum eve_status status = c->group_count == 0 ? add_group(c, err) : EVE_OK;
    if (status != EVE_OK || c->ev->group.kind == EVE_JSON_NONE) {
        c->group = status == EVE_OK ? c->group_list[0] : NULL;
        return status;
    }
    c->key.n = 0;
    status = eve_key_put(&c->key, c->ev->group, err);
    if (status == EVE_OK) {
        status = eve_map_put(&c->groups, eve_buf_slice(&c->key), &entry, &added, err);
    }
    if (status == EVE_OK && entry->value == 0) {
        status = add_group(c, err);
        entry->value = status == EVE_OK ? c->group_count - 1 : 0;
    }
    c->group = status == EVE_OK ? c->group_list[entry->value] : NULL;
    return status;
}

static void forget_shapes(struct eve_check *c)
{
    memset(c->shapes, 0, EVE_EVENT_SHAPES * sizeof *c->shapes);
}

enum eve_status eve_check_new(struct eve_check **out, const struct eve_check_options *options,
                              struct eve_err *err)
{
    struct eve_check *c = NULL;
    enum eve_status status = eve_mem_resize(&c, 1, sizeof *c, err);
    if (status != EVE_OK) {
        return status;
    }
    *c = (struct eve_check){.options = *options, .index = options->start_index};
    status = eve_mem_resize(&c->shapes, EVE_EVENT_SHAPES, sizeof *c->shapes, err);
    if (status != EVE_OK) {
        eve_mem_free(c);
        return status;
    }
    forget_shapes(c);
    eve_names_init(&c->names);
    eve_seen_init(&c->ids, options->seed);
    eve_map_init(&c->groups, options->seed);
    eve_block_init(&c->texts, sizeof(struct eve_check_text), options->seed);
    eve_block_init(&c->held, sizeof(struct eve_check_held), options->seed);
    eve_roster_init(&c->turns, options->seed);
    eve_roster_init(&c->calls, options->seed);
    eve_roster_init(&c->asks, options->seed);
    eve_buf_init(&c->key, SIZE_MAX / 2);
    eve_buf_init(&c->text, SIZE_MAX / 2);
    eve_value_init(&c->values[0]);
    eve_value_init(&c->values[1]);
    *out = c;
    return EVE_OK;
}

/* The buffers of blocks, in use or not. */
static void free_blocks(struct eve_check *c)
{
    struct eve_block *b = c->texts.first;
    for (; b != NULL; b = eve_block_after(&c->texts, b)) {
        eve_buf_fini(&eve_check_as_text(b)->raw);
    }
    for (b = c->texts.unused; b != NULL; b = eve_block_unused_after(&c->texts, b)) {
        eve_buf_fini(&eve_check_as_text(b)->raw);
    }
    for (b = c->held.first; b != NULL; b = eve_block_after(&c->held, b)) {
        eve_buf_fini(&((struct eve_check_held *)(void *)b)->bytes);
    }
    for (b = c->held.unused; b != NULL; b = eve_block_unused_after(&c->held, b)) {
        eve_buf_fini(&((struct eve_check_held *)(void *)b)->bytes);
    }
    eve_block_fini(&c->texts);
    eve_block_fini(&c->held);
}

void eve_check_free(struct eve_check *c)
{
    if (c == NULL) {
        return;
    }
    eve_names_fini(&c->names);
    eve_seen_fini(&c->ids);
    free_groups(c);
    eve_map_fini(&c->groups);
    eve_mem_free(c->group_list);
    free_blocks(c);
    eve_roster_fini(&c->turns);
    eve_roster_fini(&c->calls);
    eve_roster_fini(&c->asks);
    eve_mem_free(c->ended);
    eve_mem_free(c->shapes);
    eve_buf_fini(&c->key);
    eve_buf_fini(&c->text);
    eve_value_fini(&c->values[0]);
    eve_value_fini(&c->values[1]);
    eve_mem_free(c);
}

uint64_t eve_check_index(const struct eve_check *c)
{
    return c->index;
}

/* An event of the shape that appends have nearly always, of which the scan has shown that no name
 * comes twice: nothing unknown in data, and no more than at and id in meta. */
static bool is_plain(const struct eve_event *ev)
{
    enum { TWO_MEMBERS = sizeof "{\"at\":,\"id\":}" - 1 };
    bool meta = ev->meta.kind == EVE_JSON_NONE || ev->meta.n == ev->at.n + ev->id.n + TWO_MEMBERS;
    return ev->plain && ev->repeated == 0 && ev->data_other == 0 && meta &&
           ev->type <= EVE_EVENT_INPUT_APPENDED;
}

/* meta as nearly every event of v25 and v26 has it, with deliveryIds last. */
static bool is_delivered(const struct eve_event *ev)
{
    const char *behind = ev->id.p + ev->id.n;
    static const char name[] = ",\"deliveryIds\":[\"";
    size_t left = (size_t)(ev->meta.p + ev->meta.n - behind);
    return ev->plain && ev->repeated == 0 && ev->data_other == 0 &&
           ev->type <= EVE_EVENT_INPUT_APPENDED && ev->meta.kind == EVE_JSON_OBJECT &&
           ev->id.kind == EVE_JSON_STRING && ev->at.kind == EVE_JSON_STRING &&
           ev->at.p == ev->meta.p + sizeof "{\"at\":" - 1 &&
           ev->id.p == ev->at.p + ev->at.n + sizeof ",\"id\":" - 1 && left > sizeof name &&
           memcmp(behind, name, sizeof name - 1) == 0 && /* and no name behind it */
           memchr(behind + sizeof name - 1, ':', left - sizeof name + 1) == NULL;
}

static enum eve_status check_names(struct eve_check *c, struct eve_err *err)
{
    const char *at = NULL;
    if (is_plain(c->ev) || is_delivered(c->ev) ||
        !eve_finder_wants(c->options.finder, EVE_RULE_REPEATED_NAME)) {
        return EVE_OK;
    }
    enum eve_status status = eve_names_repeated(&c->names, c->ev->text, &at, err);
    return status == EVE_OK && at != NULL
               ? eve_check_tell(c, EVE_RULE_REPEATED_NAME, false, at,
                                "this name came before in the same object", err)
               : status;
}

static enum eve_status check_members(struct eve_check *c, struct eve_err *err)
{
    char text[EVE_MEMBERS_TEXT];
    const char *at = NULL;
    unsigned next = 0;
    enum eve_status status = EVE_OK;
    while (status == EVE_OK && eve_members_fault(c->ev, &next, text, &at)) {
        status = eve_check_tell(c, EVE_RULE_MISSING_MEMBER, false, at, text, err);
    }
    return status;
}

static enum eve_status check_type(struct eve_check *c, struct eve_err *err)
{
    struct eve_words w;
    const struct eve_event *ev = c->ev;
    unsigned version = c->version;
    bool known = ev->type != EVE_EVENT_OTHER;
    if (known && (version == EVE_VERSION_AUTO || eve_event_type_in(ev->type, version))) {
        return EVE_OK;
    }
    bool retired = false;
    for (unsigned v = EVE_VERSION_MIN; known && v < version; v++) {
        retired = retired || eve_event_type_in(ev->type, v);
    }
    eve_words_init(&w, known ? "version " : "no version from 21 to 26");
    if (known) {
        eve_words_count(&w, version);
    }
    eve_words_put(&w, retired ? " no longer has the type " : " has the type ");
    if (known && !retired) {
        eve_words_init(&w, "version ");
        eve_words_count(&w, version);
        eve_words_put(&w, " does not have the type ");
    }
    eve_words_quote(&w, eve_text_of(ev->type_value));
    return eve_check_tell(c, retired ? EVE_RULE_RETIRED_TYPE : EVE_RULE_UNKNOWN_TYPE, false,
                          ev->type_value.p, w.s, err);
}

/* The rules over the stream, for an event that did not come before. */
static enum eve_status check_stream(struct eve_check *c, struct eve_err *err)
{
    bool done = false;
    enum eve_status status = c->known != NULL ? eve_check_append_known(c, &done, err) : EVE_OK;
    if (status == EVE_OK && !done) {
        status = eve_check_flow(c, err);
    }
    if (status == EVE_OK && !done) {
        bool append = eve_decode_delta_field(c->ev->type) != EVE_FIELD_COUNT;
        status = append ? eve_check_append(c, err) : eve_check_sequence(c, err);
        status = status == EVE_OK && !append ? eve_check_text_ends(c, err) : status;
    }
    return status == EVE_OK ? eve_check_id_order(c, err) : status;
}

/* The rules over single events but for id and time, which an append of a known shape passes. */
static enum eve_status check_itself(struct eve_check *c, struct eve_err *err)
{
    const struct eve_check_shape *known = &c->shapes[c->ev->shape % EVE_EVENT_SHAPES];
    uint64_t told = c->told;
    c->known = NULL;
    if (known->shape != 0 && known->shape == c->ev->shape) {
        c->known = known;
        c->group = known->group;
        c->clean = true;
        return EVE_OK;
    }
    enum eve_status status = find_group(c, err);
    if (status == EVE_OK) {
        status = check_names(c, err);
    }
    if (status == EVE_OK) {
        status = check_type(c, err);
    }
    if (status == EVE_OK) {
        status = check_members(c, err);
    }
    c->clean = c->told == told;
    return status;
}

enum eve_status eve_check_event(struct eve_check *c, const struct eve_event *ev,
                                const struct eve_decoder *d, unsigned version, uint64_t line,
                                struct eve_err *err)
{
    bool replay = false;
    c->ev = ev;
    c->decoded = d;
    c->version = version;
    c->line = line;
    c->late = false;
    enum eve_status status = check_itself(c, err);
    if (status == EVE_OK) {
        status = eve_check_id(c, &replay, err);
    }
    if (status == EVE_OK && !replay) {
        status = check_stream(c, err);
    }
    c->index++;
    return status;
}

enum eve_status eve_check_bad(struct eve_check *c, const struct eve_event *ev, bool parsed,
                              uint64_t line, const struct eve_err *why, struct eve_err *err)
{
    struct eve_event only = {.line = ev->line};
    struct eve_finding f = {.rule = why->rule, .message = why->msg};
    c->ev = parsed ? ev : &only;
    if (ev->line.p != NULL) {
        eve_finding_place(&f, c->ev, ev->line.p + why->pos, line, EVE_FINDING_NO_EVENT);
    } else {
        f.line = line;
        f.event = EVE_FINDING_NO_EVENT;
    }
    c->line = line;
    enum eve_status status = eve_finder_tell(c->options.finder, &f, err);
    if (status != EVE_OK) {
        return status;
    }
    bool append = parsed && eve_decode_delta_field(ev->type) != EVE_FIELD_COUNT;
    if (!append || ev->data.kind != EVE_JSON_OBJECT) {
        c->bad++; /* anything may have been in it */
        c->bad_line = line;
        return parsed && !append ? EVE_OK
                                 : eve_check_hold_spoil(c, true, (struct eve_json_value){0}, err);
    }
    status = find_group(c, err);
    return status == EVE_OK ? eve_check_text_spoil(c, err) : status;
}

enum eve_status eve_check_empty(struct eve_check *c, struct eve_err *err)
{
    struct eve_finding f = {.rule = EVE_RULE_STARTS_MIDWAY,
                            .message = "the stream has no event at all",
                            .event = EVE_FINDING_NO_EVENT};
    bool empty = c->group_count == 0 && c->bad == 0 && c->options.start_index == 0;
    return empty ? eve_finder_tell(c->options.finder, &f, err) : EVE_OK;
}

enum eve_status eve_check_end(struct eve_check *c, struct eve_err *err)
{
    enum eve_status status = eve_check_text_end(c, err);
    if (status == EVE_OK) {
        status = eve_check_flow_end(c, err);
    }
    if (status == EVE_OK) {
        status = eve_check_id_end(c, err);
    }
    free_groups(c);
    forget_shapes(c);
    eve_seen_clear(&c->ids);
    eve_roster_clear(&c->turns);
    eve_roster_clear(&c->calls);
    eve_roster_clear(&c->asks);
    eve_buf_clear(&c->text, KEEP_ROOM);
    eve_buf_clear(&c->key, KEEP_ROOM);
    c->index = c->options.start_index;
    c->bad = c->bad_line = c->with_id = c->without_id = 0;
    return status;
}
