#include "rules.h"

#include "str.h"

/* clang-format off */
#define RULE(symbol, id, level, summary, explanation) \
    [EVE_RULE_##symbol] = {id, EVE_LEVEL_##level, summary, explanation}
/* clang-format on */

static const struct eve_rule_info rules[EVE_RULE_COUNT] = {
    RULE(LINE_TOO_LONG, "line-too-long", ERROR, "a line is longer than --max-line allows",
         "The line is over the limit that --max-line sets. It is passed over.\n\n"
         "    evecheck --max-line=256 log.ndjson"),
    RULE(JSON_SYNTAX, "json-syntax", ERROR, "a line is not JSON",
         "The line breaks the grammar of RFC 8259 at the column that is told: a comma too many, a "
         "raw control character in a string, a number such as 01. Every line of a stream is one "
         "JSON object.\n\n"
         "    {\"type\":\"turn.started\",}"),
    RULE(JSON_UTF8, "json-utf8", ERROR, "a line is not UTF-8",
         "The bytes at the column are not UTF-8: cut in the middle of a character, overlong, an "
         "encoded surrogate, or another encoding. JSON is UTF-8.\n\n"
         "    printf '\"caf\\351\"\\n' | evecheck"),
    RULE(JSON_DEPTH, "json-depth", ERROR, "objects and arrays nest deeper than 10,000 levels",
         "No real event nests so deeply; readers that use recursion would crash.\n\n"
         "    printf '%10001s' '' | tr ' ' '[' | evecheck"),
    RULE(TRUNCATED, "truncated", ERROR, "the last line is cut off",
         "The input ends in the middle of an event, with no line feed: the writer or the transfer "
         "was stopped. What is there is no event.\n\n"
         "    head -c 1000 log.ndjson | evecheck"),
    RULE(NOT_OBJECT, "not-object", ERROR, "a line is JSON, but no object",
         "An event is a JSON object with a string type.\n\n"
         "    [1,2]"),
    RULE(NEWER_FORMAT, "newer-format", ERROR, "the stream has the newer format of version 27",
         "An object with facts or progress and no type is stream version 27 or newer. These tools "
         "read versions 21 to 26.\n\n"
         "    {\"facts\":[]}"),
    RULE(TYPE_MISSING, "type-missing", ERROR, "an object has no string type",
         "An event has a member type that is a string. An error answer saved in place of a stream "
         "is such an object, too. (A control record, which has $eve, needs none.)\n\n"
         "    {\"error\":{\"message\":\"not found\"}}"),
    RULE(BAD_DATA, "bad-data", ERROR, "data or actions are not what the type needs",
         "An append needs an object data. actions.requested needs an array actions of objects, and "
         "a load-skill action without a string name needs an object input.\n\n"
         "    {\"type\":\"message.appended\",\"data\":null}"),
    RULE(UNSUPPORTED_EVENT, "unsupported-event", ERROR,
         "the declared version has no such append event",
         "action.input.appended came with version 24; with --from=21, 22 or 23 it is an error.\n\n"
         "    evecheck --from=23 log.ndjson"),
    RULE(BAD_DELTA, "bad-delta", ERROR, "the delta of an append is not a string",
         "messageDelta, reasoningDelta or inputTextDelta is missing, null or no string.\n\n"
         "    message.appended {\"messageDelta\":7}"),
    RULE(BAD_SNAPSHOT, "bad-snapshot", ERROR, "the text so far of a legacy append is not a string",
         "In versions 21 to 24 message.appended has messageSoFar and reasoning.appended has "
         "reasoningSoFar, both strings.\n\n"
         "    message.appended {\"messageDelta\":\"a\",\"messageSoFar\":null}"),
    RULE(BAD_OFFSET, "bad-offset", ERROR, "inputTextOffset is not an integer from 0 to 2^53-1",
         "In version 24 action.input.appended has inputTextOffset, the number of UTF-16 units "
         "before its delta.\n\n"
         "    action.input.appended {\"inputTextDelta\":\"{\",\"inputTextOffset\":-1}"),
    RULE(SNAPSHOT_MISMATCH, "snapshot-mismatch", ERROR,
         "the text so far of a legacy append does not end with its delta",
         "messageSoFar and reasoningSoFar end with the delta of the same event, compared as UTF-16 "
         "units of the decoded strings.\n\n"
         "    message.appended {\"messageDelta\":\"lo\",\"messageSoFar\":\"Help\"}"),
    RULE(LEGACY_FIELD, "legacy-field", ERROR,
         "a delta-only append has a member that version 25 removed",
         "messageSoFar, reasoningSoFar, inputTextOffset, messageOffset and reasoningOffset do not "
         "belong to versions 25 and 26. evenorm takes the first three out of legacy streams.\n\n"
         "    evecheck --from=26 log.ndjson"),
    RULE(REPEATED_NAME, "repeated-name", WARNING, "an object has a member name twice",
         "Readers differ in which of the two they take (JavaScript takes the last). Names are "
         "compared by what they say, so \"\\u0061\" repeats \"a\". Of one event at most 65,536 "
         "names are compared at a time.\n\n"
         "    {\"type\":\"turn.started\",\"type\":\"turn.completed\"}"),
    RULE(MISSING_MEMBER, "missing-member", WARNING,
         "a member that the event type needs is missing or of the wrong kind",
         "Each type has its coordinates (sequence, stepIndex, turnId, callId, and toolName where a "
         "tool is called or answers) and the members that every released version wrote; so has "
         "each call, question and answer in it, of which the first fault is told. sequence and "
         "stepIndex are whole numbers from 0 on. data itself has to be an object, and so has meta "
         "if it is there.\n\n"
         "    {\"type\":\"step.started\",\"data\":{\"sequence\":0,\"turnId\":\"turn_0\"}}"),
    RULE(UNKNOWN_TYPE, "unknown-type", WARNING, "the event type is not known",
         "No version from 21 to 26 has the type or, with --from=N, version N and those before it "
         "do not have it. Readers pass it over.\n\n"
         "    mesage.appended"),
    RULE(RETIRED_TYPE, "retired-type", WARNING, "the declared version no longer has the event type",
         "Version 26 no longer emits the four subagent.* types. Only told with --from=26.\n\n"
         "    evecheck --from=26 v25-subagent.ndjson"),
    RULE(ID_FORM, "id-form", WARNING, "meta.id is not evt_ and a ULID",
         "An id is evt_ and 26 characters of Crockford's base 32 (no I, L, O or U, capital "
         "letters), the first of them 0 to 7.\n\n"
         "    {\"type\":\"session.started\",\"data\":{},\"meta\":{\"id\":\"42\"}}"),
    RULE(ID_ORDER, "id-order", NOTE, "meta.id is smaller than that of the event before",
         "Ids grow with time, but they are no total order: neighbours may be inverted in real "
         "streams, so this is a note. Many of them mean that lines were sorted or joined in the "
         "wrong order.\n\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHK\"}}\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHJ\"}}"),
    RULE(ID_MISSING, "id-missing", WARNING, "an event has no meta.id",
         "Events have an id since version 20. Without it a replay cannot be told from new events. "
         "Where no event of the stream has one (rows of a database export, streams before version "
         "20), it is one note; where others have one, each that lacks it is told.\n\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHJ\"}}\n"
         "    {\"type\":\"session.waiting\",\"meta\":{}}"),
    RULE(ID_REUSED, "id-reused", ERROR, "two different events have the same meta.id",
         "Ids are stable over reconnects and never used again: readers that drop events seen "
         "before lose the second one.\n\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHJ\"}}\n"
         "    "
         "{\"type\":\"session.completed\",\"meta\":{\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHJ\"}}"),
    RULE(REPLAY, "replay", NOTE, "events came a second time, with the same id and content",
         "A client that reconnects gets some events again. They are left out of all other rules; "
         "one note tells where a run of them begins. evenorm --dedupe drops them.\n\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHJ\"}}\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"id\":\"evt_01KYJBZA88B4M9XN3RTC5FDGHJ\"}}"),
    RULE(TIME_FORM, "time-form", WARNING,
         "meta.at is not a time of the form 2026-10-20T01:04:11.912Z",
         "ISO 8601, UTC, with milliseconds, and a day that there is.\n\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"at\":\"2026-10-20 01:04:11\"}}"),
    RULE(TIME_ORDER, "time-order", NOTE, "meta.at is earlier than that of the event before",
         "Told where ids do not tell it already. Clocks may step back, so this is a note.\n\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"at\":\"2026-10-20T01:04:11.912Z\"}}\n"
         "    {\"type\":\"session.waiting\",\"meta\":{\"at\":\"2026-10-20T01:04:11.911Z\"}}"),
    RULE(SNAPSHOT_GAP, "snapshot-gap", ERROR,
         "the text so far of a legacy append does not continue the one before",
         "messageSoFar is the one before it and the delta; or the delta alone, where a failed "
         "attempt starts again (restart). Anything else means that an append was lost, doubled, "
         "altered or moved.\n\n"
         "    message.appended {\"messageDelta\":\"a\",\"messageSoFar\":\"a\"}\n"
         "    message.appended {\"messageDelta\":\"c\",\"messageSoFar\":\"abc\"}"),
    RULE(RESTART, "restart", NOTE, "a text, step, turn or session starts again while it is open",
         "A failed attempt of the model, a durable step that is run again, or recovery after a "
         "crash: the same coordinates begin once more, and what was open is given up. With "
         "--no-retries it is an error.\n\n"
         "    step.started\n"
         "    message.appended {\"messageDelta\":\"Hel\"}\n"
         "    step.started"),
    RULE(OFFSET_GAP, "offset-gap", ERROR,
         "inputTextOffset is not the length of the tool input so far",
         "The offset of version 24 counts the UTF-16 units of the deltas before it. 0 starts again "
         "(restart); anything else means that an append was lost, doubled or moved.\n\n"
         "    action.input.appended {\"inputTextDelta\":\"{\",\"inputTextOffset\":0}\n"
         "    action.input.appended {\"inputTextDelta\":\"}\",\"inputTextOffset\":2}"),
    RULE(TEXT_DIVERGED, "text-diverged", ERROR, "the completed text is not the sum of its deltas",
         "message.completed and reasoning.completed have the whole text. It is neither what the "
         "appends amount to nor its end (retry): an append was lost, doubled, altered or belongs "
         "elsewhere. The texts are compared as UTF-16 units.\n\n"
         "    message.appended {\"messageDelta\":\"Hel\"}\n"
         "    message.appended {\"messageDelta\":\"lo\"}\n"
         "    message.completed {\"message\":\"Hello world.\"}"),
    RULE(RETRY, "retry", NOTE,
         "the completed text is the end of what was accumulated: attempts failed before it",
         "When the provider fails after partial output, the next attempt's appends follow with the "
         "same coordinates and no mark. With --no-retries it is an error.\n\n"
         "    message.appended {\"messageDelta\":\"Hel\"}\n"
         "    message.appended {\"messageDelta\":\"Hel\"}\n"
         "    message.appended {\"messageDelta\":\"lo\"}\n"
         "    message.completed {\"message\":\"Hello\"}"),
    RULE(INPUT_DIFFERS, "input-differs", WARNING,
         "the requested input is not what the tool input appends amount to",
         "Compared as JSON values: order is free, numbers count by exact value, an empty text is "
         "{}. eve may change an input when it is validated, so this is a warning. An input whose "
         "end, from one of the last eight deltas that begin with {, is the requested one is a "
         "retry. A request without any append is told where another call of the same tool, in the "
         "same turn and with the same model, has appends (where only other tools have, as a note): "
         "not every tool and model has them.\n\n"
         "    action.input.appended {\"callId\":\"call_1\",\"inputTextDelta\":\"{\\\"a\\\":1}\"}\n"
         "    actions.requested {\"actions\":[{\"callId\":\"call_1\",\"input\":{\"a\":2}}]}"),
    RULE(REQUEST_OPEN, "request-open", WARNING, "a requested action has no result",
         "No action.result has its callId by the end of the stream. Where a callId is used again, "
         "a result answers the request of its turn, or else the latest that is open. A note where "
         "the turn was cancelled, failed or is not over, where an approval is awaited or was "
         "refused, where someone had to sign in, or where a later attempt or message cut its step "
         "short.\n\n"
         "    actions.requested {\"actions\":[{\"callId\":\"call_1\"}]}\n"
         "    step.completed\n"
         "    turn.completed"),
    RULE(RESULT_UNASKED, "result-unasked", WARNING, "a result or an answer has no request",
         "The callId of action.result was not requested before, or was answered already. Results "
         "that withdraw a call of a failed attempt need no request. Or the requestId of an answer "
         "(input.resolved, approval.settled) was in no input.requested, or the taskId of "
         "task.settled in no task.started. A note where the result says that the input of the call "
         "could not be read: then it is not requested.\n\n"
         "    action.result {\"result\":{\"callId\":\"call_1\"}}"),
    RULE(COORDINATE_DIFFERS, "coordinate-differs", WARNING,
         "a coordinate is not that of the turn, step or call it belongs to",
         "sequence is not that of turn.started of its turnId (told once a turn); toolName is not "
         "that of the call's other appends, or of its request; the turnId and stepIndex of "
         "action.result or action.partial are neither those of its request nor those of the step "
         "it comes in.\n\n"
         "    turn.started {\"sequence\":0}\n"
         "    step.started {\"sequence\":99}"),
    RULE(ORDER, "order", WARNING, "life cycle events come in the wrong order",
         "turn.started, then for each step step.started and step.completed or step.failed, then "
         "turn.completed, turn.failed or turn.cancelled. A start or an end is missing, or comes "
         "twice. A step may be open at turn.cancelled. A note where a step in which nothing was "
         "said is left open by a question or a wait, and where a turn fails by something else than "
         "its model call. message.received comes before the first "
         "step of a turn; it is not missed once something was asked in the session, since an "
         "answer begins a turn without it. session.waiting comes before the next turn.\n\n"
         "    turn.started\n"
         "    step.completed"),
    RULE(OUTSIDE_STEP, "outside-step", WARNING,
         "an append, a completed text or a request is in no open step",
         "Neither step.started nor a step that is still open fits its turnId and stepIndex. A "
         "completed message without appends outside a step is a note: eve says so why an approval "
         "was refused.\n\n"
         "    turn.started\n"
         "    message.appended {\"messageDelta\":\"Hello\"}"),
    RULE(OUTSIDE_TURN, "outside-turn", WARNING,
         "a step, append, completed text or request is in no open turn",
         "No turn.started with its turnId came before, or the turn has ended. Of result.completed, "
         "task.started and task.settled only whether the turn ever started is asked.\n\n"
         "    session.started\n"
         "    step.started"),
    RULE(BLOCK_OPEN, "block-open", WARNING,
         "a text is still open when its step, turn or stream ends",
         "Appends without message.completed or reasoning.completed. A note for tool inputs (the "
         "model's input may be invalid) and where the step or turn failed or was cancelled; a text "
         "of white space has no completed event and is not told. A note for reasoning, too, in a "
         "step that a message cut short (finishReason other).\n\n"
         "    message.appended {\"messageDelta\":\"Hel\"}\n"
         "    step.completed"),
    RULE(TURN_OPEN, "turn-open", WARNING,
         "a turn is still open when another starts, or the session waits or ends",
         "turn.completed, turn.failed or turn.cancelled is missing. turn.waiting parks a turn and "
         "leaves it open.\n\n"
         "    turn.started\n"
         "    session.waiting"),
    RULE(AFTER_END, "after-end", WARNING, "an event comes after the end of its session",
         "session.completed and session.failed are the last events of a session, unless "
         "session.started opens it again. Told once.\n\n"
         "    session.completed\n"
         "    turn.started"),
    RULE(MIXED_FORMS, "mixed-forms", WARNING,
         "legacy and delta-only appends are mixed in one stream",
         "Some appends have the text so far of versions 21 to 24 and some have not. A log that eve "
         "went on writing after an upgrade is so; evenorm makes it one form. Told once.\n\n"
         "    message.appended {\"messageDelta\":\"a\",\"messageSoFar\":\"a\"}\n"
         "    message.appended {\"messageDelta\":\"b\"}"),
    RULE(LATE, "late", NOTE, "an append was delivered after the event that completed its text",
         "Its id is older than that of the completed event: a live stream delivered it late. A "
         "replay has the right order. It stands in place of the finding on that text. The same of "
         "a completed text that comes when its appends are over, after newer events.\n\n"
         "    sed -e '31{h;d;}' -e 32G log.ndjson | evecheck"),
    RULE(DELTA_REPEATS_TEXT, "delta-repeats-text", WARNING, "deltas repeat the whole text so far",
         "Three deltas in a row begin with the delta before them, and the completed text is not "
         "their sum: the emitter puts the text so far where the delta belongs.\n\n"
         "    message.appended {\"messageDelta\":\"H\"}\n"
         "    message.appended {\"messageDelta\":\"He\"}\n"
         "    message.appended {\"messageDelta\":\"Hel\"}\n"
         "    message.appended {\"messageDelta\":\"Hell\"}\n"
         "    message.completed {\"message\":\"Hell\"}"),
    RULE(STARTS_MIDWAY, "starts-midway", WARNING, "the stream does not begin with session.started",
         "It was joined in the middle or its head was lost; or it has no event at all. Texts whose "
         "beginning is not known are not checked. --start-index=N says that this is meant.\n\n"
         "    tail -n 20 log.ndjson | evecheck"),
    RULE(EXPECT, "expect", ERROR, "an expectation is not met",
         "What the file of --expect asserts does not hold for this stream.\n\n"
         "    evecheck --write-expect good.ndjson >expect.json\n"
         "    evecheck --expect=expect.json new.ndjson"),
    RULE(GOLDEN, "golden", ERROR, "the stream is not the same session as the golden one",
         "It differs from the stream of --golden in more than ids, times, chunking and what "
         "--ignore names.\n\n"
         "    evecheck --golden=good.ndjson new.ndjson"),
};

const struct eve_rule_info *eve_rules_get(unsigned rule)
{
    return &rules[rule];
}

unsigned eve_rules_find(struct eve_slice id)
{
    unsigned rule = EVE_RULE_COUNT - 1;
    while (rule > EVE_RULE_NONE && !eve_str_is(id, rules[rule].id)) {
        rule--;
    }
    return rule;
}

void eve_finder_init(struct eve_finder *f,
                     enum eve_status (*found)(void *ctx, const struct eve_finding *f,
                                              struct eve_err *err),
                     void *ctx)
{
    *f = (struct eve_finder){.found = found, .ctx = ctx};
    for (unsigned rule = 1; rule < EVE_RULE_COUNT; rule++) {
        f->level[rule] = (uint8_t)rules[rule].level;
    }
}

void eve_finder_set(struct eve_finder *f, unsigned rule, unsigned level)
{
    f->level[rule] = (uint8_t)level;
    f->given[rule] = true;
}

/* A byte of a UTF-8 character that is not its first. */
static bool is_inside(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

void eve_finding_place(struct eve_finding *out, const struct eve_event *ev, const char *at,
                       uint64_t line, uint64_t index)
{
    enum { BEFORE = 20 };
    at = at != NULL ? at : ev->text.p;
    size_t pos = (size_t)(at - ev->line.p);
    size_t seen = pos < ev->line.n ? pos : ev->line.n; /* of an overlong line we have the head */
    size_t from = seen < BEFORE ? 0 : seen - BEFORE;
    size_t to = ev->line.n - from < EVE_FINDING_EXCERPT ? ev->line.n : from + EVE_FINDING_EXCERPT;
    while (from < seen && is_inside(ev->line.p[from])) {
        from++;
    }
    while (to > seen && to < ev->line.n && is_inside(ev->line.p[to])) {
        to--;
    }
    out->line = line;
    out->column = pos + 1;
    out->event = index;
    out->type = (struct eve_slice){ev->type_value.p, ev->type_value.n};
    out->id = (struct eve_slice){0};
    if (ev->id.kind == EVE_JSON_STRING) {
        out->id = (struct eve_slice){ev->id.p, ev->id.n};
    }
    out->excerpt = eve_str_sub(ev->line, from, to);
}

enum eve_status eve_finder_tell(const struct eve_finder *finder, struct eve_finding *f,
                                struct eve_err *err)
{
    unsigned level = finder->level[f->rule];
    if (level == EVE_LEVEL_OFF) {
        return EVE_OK;
    }
    f->level = f->explained && !finder->given[f->rule] ? EVE_LEVEL_NOTE : (enum eve_level)level;
    return finder->found(finder->ctx, f, err);
}
