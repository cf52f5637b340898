#include "cli.h"
#include "compose.h"
#include "escape.h"
#include "format_ops.h"
#include "map.h"
#include "mem.h"
#include "report.h"
#include "str.h"

#include <stdio.h>
#include <unistd.h>

/* The document is made in memory and written at the end, so it is whole whenever that comes. */
struct sarif {
    cJSON *log;
    cJSON *results;
    cJSON *notices; /* of the invocation */
    cJSON *invocation;
    struct eve_map seen; /* how often a fingerprint came */
    uint64_t over;       /* results that are left out */
    bool failed;         /* something was not read to its end */
};

/* {"text": TEXT} */
static bool add_text(cJSON *parent, const char *name, const char *text)
{
    cJSON *message = compose_object(parent, name);
    return message != NULL && compose_text(message, "text", text);
}

static bool add_rules(cJSON *driver)
{
    cJSON *rules = compose_array(driver, "rules");
    bool ok = rules != NULL;
    for (unsigned i = 1; ok && i < EVE_RULE_COUNT; i++) {
        const struct eve_rule_info *info = eve_rules_get(i);
        cJSON *rule = compose_object(rules, NULL);
        ok = rule != NULL && compose_text(rule, "id", info->id) &&
             add_text(rule, "shortDescription", info->summary) &&
             add_text(rule, "help", info->explanation);
        cJSON *level = ok ? compose_object(rule, "defaultConfiguration") : NULL;
        ok = level != NULL && compose_text(level, "level", eve_diag_level(info->level));
    }
    return ok;
}

static bool build(struct sarif *s)
{
    s->log = cJSON_CreateObject();
    bool ok = s->log != NULL &&
              compose_text(s->log, "$schema", "https://json.schemastore.org/sarif-2.1.0.json") &&
              compose_text(s->log, "version", "2.1.0");
    cJSON *runs = ok ? compose_array(s->log, "runs") : NULL;
    cJSON *run = compose_object(runs, NULL);
    cJSON *tool = compose_object(run, "tool");
    cJSON *driver = compose_object(tool, "driver");
    ok = driver != NULL && compose_text(driver, "name", "evecheck") &&
         compose_text(driver, "version", EVETOOLS_VERSION) && add_rules(driver);
    s->invocation = ok ? compose_object(compose_array(run, "invocations"), NULL) : NULL;
    s->results = ok ? compose_array(run, "results") : NULL;
    s->notices = compose_array(s->invocation, "toolExecutionNotifications");
    return s->notices != NULL && s->results != NULL;
}

static void close_sarif(struct format *f)
{
    struct sarif *s = f->state;
    if (s != NULL) {
        cJSON_Delete(s->log);
        eve_map_fini(&s->seen);
        eve_mem_free(s);
        f->state = NULL;
    }
}

static enum eve_status open_sarif(struct format *f, struct eve_err *err)
{
    static const uint64_t seed[2] = {0}; /* fingerprints are the same in every run */
    struct sarif *s = NULL;
    enum eve_status status = eve_mem_resize(&s, 1, sizeof *s, err);
    if (status != EVE_OK) {
        return status;
    }
    *s = (struct sarif){.log = NULL};
    eve_map_init(&s->seen, seed);
    f->state = s;
    return build(s) ? EVE_OK : format_no_memory(err);
}

/* What `name` is called below the folder of work, if it lies there, else NULL. */
static const char *below(const char *name)
{
    char cwd[4096];
    while (strncmp(name, "./", 2) == 0) {
        name += 2 + strspn(name + 2, "/");
    }
    if (*name != '/') {
        return name;
    }
    size_t n = getcwd(cwd, sizeof cwd) != NULL ? strlen(cwd) : 0;
    return n > 1 && strncmp(name, cwd, n) == 0 && name[n] == '/' ? name + n + 1 : NULL;
}

/* The artifactLocation of the file at hand. */
static bool add_uri(struct format *f, cJSON *physical)
{
    struct eve_err err;
    cJSON *artifact = compose_object(physical, "artifactLocation");
    const char *relative = below(f->name);
    struct eve_slice path = relative != NULL ? eve_str(relative) : format_file(f);
    bool ok = artifact != NULL;
    if (strcmp(f->name, "-") == 0) {
        path = format_file(f);
    }
    f->piece.n = 0;
    ok = ok && eve_buf_puts(&f->piece, relative == NULL ? "file://" : "", &err) == EVE_OK &&
         escape_uri(&f->piece, path, &err) == EVE_OK &&
         compose_bytes(artifact, "uri", eve_buf_slice(&f->piece)) &&
         (relative == NULL || compose_text(artifact, "uriBaseId", "%SRCROOT%"));
    f->piece.n = 0;
    return ok;
}

static bool add_location(struct format *f, cJSON *parent, uint64_t line)
{
    cJSON *location = compose_object(compose_array(parent, "locations"), NULL);
    cJSON *physical = compose_object(location, "physicalLocation");
    bool ok = physical != NULL && add_uri(f, physical);
    if (ok && line > 0) {
        cJSON *region = compose_object(physical, "region");
        ok = region != NULL && compose_number(region, "startLine", line);
    }
    return ok;
}

/* The same finding has the same fingerprint when lines move: rule, file, and the event's id, or
 * without one the message. A number tells repetitions apart. */
static bool add_fingerprint(struct format *f, cJSON *result, const struct eve_finding *finding)
{
    struct sarif *s = f->state;
    struct eve_err err;
    struct eve_map_entry *entry = NULL;
    char print[64];
    bool added = false;
    f->piece.n = 0;
    bool ok = FORMAT_PUTS(&f->piece, &err, eve_rules_get(finding->rule)->id, "\n", f->name, "\n") ==
                  EVE_OK &&
              eve_buf_put(&f->piece, finding->id.n > 0 ? finding->id : eve_str(finding->message),
                          &err) == EVE_OK &&
              eve_map_put(&s->seen, eve_buf_slice(&f->piece), &entry, &added, &err) == EVE_OK;
    if (ok) {
        (void)snprintf(print, sizeof print, "%016llx:%llu",
                       (unsigned long long)eve_map_hash(s->seen.seed, eve_buf_slice(&f->piece)),
                       (unsigned long long)++entry->value);
        cJSON *prints = compose_object(result, "partialFingerprints");
        ok = prints != NULL && compose_text(prints, "primaryLocationLineHash", print);
    }
    f->piece.n = 0;
    return ok;
}

static bool add_properties(cJSON *result, const struct eve_finding *finding)
{
    cJSON *bag = compose_object(result, "properties");
    bool ok = bag != NULL;
    if (ok && finding->column > 0) {
        ok = compose_number(bag, "column", finding->column);
    }
    if (ok && finding->event != EVE_FINDING_NO_EVENT) {
        ok = compose_number(bag, "event", finding->event);
    }
    if (ok && finding->type.n > 0) {
        ok = compose_string(bag, "type", finding->type);
    }
    return ok && finding->id.n > 0 ? compose_string(bag, "id", finding->id) : ok;
}

static enum eve_status add_finding(struct format *f, const struct eve_finding *finding,
                                   struct eve_err *err)
{
    struct sarif *s = f->state;
    if (f->counts.level[0] + f->counts.level[1] + f->counts.level[2] > FORMAT_SARIF_MAX) {
        s->over++;
        return EVE_OK;
    }
    cJSON *result = compose_object(s->results, NULL);
    bool ok = result != NULL && compose_text(result, "ruleId", eve_rules_get(finding->rule)->id) &&
              compose_number(result, "ruleIndex", finding->rule - 1) &&
              compose_text(result, "level", eve_diag_level(finding->level)) &&
              add_text(result, "message", finding->message) &&
              add_location(f, result, finding->line) && add_fingerprint(f, result, finding) &&
              add_properties(result, finding);
    return ok ? EVE_OK : format_no_memory(err);
}

/* A notification of the invocation: that something was not read, or is not shown. */
static bool add_notice(struct format *f, const char *level, const char *text)
{
    struct sarif *s = f->state;
    cJSON *notice = compose_object(s->notices, NULL);
    return notice != NULL && compose_text(notice, "level", level) &&
           add_text(notice, "message", text) && (f->name == NULL || add_location(f, notice, 0));
}

static enum eve_status add_trouble(struct format *f, const char *trouble, struct eve_err *err)
{
    struct sarif *s = f->state;
    if (trouble == NULL) {
        return EVE_OK;
    }
    s->failed = true;
    return add_notice(f, "error", trouble) ? EVE_OK : format_no_memory(err);
}

static enum eve_status end_sarif(struct format *f, const char *trouble, struct eve_err *err)
{
    struct sarif *s = f->state;
    char text[128];
    char digits[32];
    enum eve_status status = add_trouble(f, trouble, err);
    bool ok = status == EVE_OK;
    if (ok && s->over > 0) {
        (void)snprintf(text, sizeof text, "%s more findings are left out here",
                       report_count(digits, s->over));
        ok = add_notice(f, "note", text);
    }
    ok = ok && cJSON_AddBoolToObject(s->invocation, "executionSuccessful", !s->failed) != NULL;
    char *document = ok ? cJSON_PrintUnformatted(s->log) : NULL;
    status = document != NULL ? eve_out_put(f->options.out, eve_str(document), err)
                              : format_no_memory(err);
    cJSON_free(document);
    return status == EVE_OK ? eve_out_put(f->options.out, eve_str("\n"), err) : status;
}

const struct format_ops format_sarif = {.open = open_sarif,
                                        .finding = add_finding,
                                        .end_file = add_trouble,
                                        .end = end_sarif,
                                        .close = close_sarif};
