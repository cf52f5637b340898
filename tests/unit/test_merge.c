/*
 * Reports written, read back and added up: whole streams against all pairs of parts, and what is no
 * report.
 */
#include "mem.h"
#include "merge.h"
#include "stat_aid.h"
#include "stat_json.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

/* Writes the report on `files` into `text`; its length, 0 if that failed. */
static size_t write_report(const struct eve_accounts *files, bool merged, char *text, size_t room)
{
    struct eve_err err = {0};
    struct eve_out out = {0};
    struct eve_account *total = NULL;
    int fd = aid_file(S(""));
    enum eve_status status = eve_account_new(&total, S(""), stat_seed, &err);
    status = status == EVE_OK ? eve_accounts_sum(files, total, &err) : status;
    status = status == EVE_OK ? eve_out_init(&out, fd, &err) : status;
    struct stat_view view = {.files = files, .total = total, .merged = merged};
    status = status == EVE_OK ? stat_json_write(&view, &out, &err) : status;
    status = status == EVE_OK ? eve_out_flush(&out, &err) : status;
    struct eve_slice got = aid_content(fd, text, room);
    eve_out_fini(&out);
    eve_account_free(total);
    close(fd);
    return status == EVE_OK ? got.n : 0;
}

/* Adds the report on one stream. */
static void add_stream(struct eve_merge *m, struct eve_slice stream)
{
    static char text[1 << 20];
    struct eve_err err = {0};
    struct eve_accounts files;
    eve_accounts_init(&files);
    CHECK(eve_accounts_add(&files, stat_aid_account(stream, EVE_STAT_BY_NOTHING, 0), &err) ==
          EVE_OK);
    size_t n = write_report(&files, false, text, sizeof text);
    CHECK(n > 0 && eve_merge_report(m, (struct eve_slice){text, n}, &err) == EVE_OK);
    eve_accounts_fini(&files);
}

/* The same figures and types; of restarts a cut may hide one. */
static bool same(struct eve_tally *whole, struct eve_tally *parts)
{
    struct eve_err err = {0};
    struct eve_tally_type *const *x = NULL;
    struct eve_tally_type *const *y = NULL;
    for (unsigned f = 0; f < EVE_TALLY_COUNT; f++) {
        bool right =
            f == EVE_TALLY_RESTARTS ? whole->n[f] - parts->n[f] <= 1 : whole->n[f] == parts->n[f];
        if (!right)
            return false;
    }
    if (whole->type_count != parts->type_count ||
        eve_tally_sort(whole, false, &x, &err) != EVE_OK ||
        eve_tally_sort(parts, false, &y, &err) != EVE_OK)
        return false;
    for (size_t i = 0; i < whole->type_count; i++) {
        if (!eve_str_equal(x[i]->name, y[i]->name) ||
            memcmp(&x[i]->count, &y[i]->count, sizeof x[i]->count) != 0)
            return false;
    }
    return true;
}

/* All cuts of one stream at line ends, both ends included. */
static bool cuts(struct eve_slice stream)
{
    struct eve_account *whole = stat_aid_account(stream, EVE_STAT_BY_NOTHING, 0);
    bool ok = true;
    for (size_t at = 0; at <= stream.n && ok; at++) {
        if (at > 0 && at < stream.n && stream.p[at - 1] != '\n')
            continue;
        struct eve_merge m;
        eve_merge_init(&m, stat_seed);
        add_stream(&m, eve_str_sub(stream, at, stream.n));
        add_stream(&m, eve_str_sub(stream, 0, at));
        ok = m.files.count == 1 && same(&whole->tally, &m.files.list[0]->tally);
        eve_merge_fini(&m);
    }
    eve_account_free(whole);
    return ok;
}

static void recorded(void)
{
    static char text[1 << 19];
    size_t streams = 0;
    DIR *dir = opendir("tests/streams");
    TEST("parts at every cut of every recorded stream add up to the whole");
    if (!CHECK(dir != NULL))
        return;
    for (struct dirent *e = readdir(dir); e != NULL; e = readdir(dir)) {
        char path[300];
        size_t n = strlen(e->d_name);
        if (n < 7 || strcmp(e->d_name + n - 7, ".ndjson") != 0)
            continue;
        snprintf(path, sizeof path, "tests/streams/%s", e->d_name);
        int fd = open(path, O_RDONLY);
        struct eve_slice stream = aid_content(fd, text, sizeof text);
        close(fd);
        CHECK(stream.n > 0 && stream.n < sizeof text);
        streams++;
        if (!CHECK(cuts(stream)))
            printf("# %s\n", path);
    }
    closedir(dir);
    CHECK(streams > 50);
    CHECK(cuts(S("\n{\"type\":\"\\ud800\"}\n {\"type\":\"a\\u0062\"} \n\n{\"type\":\"ab\"}")));
}

#define ZEROS                                                                                      \
    "\"events\":0,\"lines\":0,\"turns\":0,\"steps\":0,\"blocks\":0,\"restarts\":0,"                \
    "\"longestLine\":0,\"badLines\":0,\"payload\":{\"messageSoFar\":0,\"reasoningSoFar\":0,"       \
    "\"inputTextOffset\":0,\"messageOffset\":0,\"reasoningOffset\":0}"
#define BYTES(in, transport)                                                                       \
    "\"bytes\":{\"in\":" in ",\"transport\":" transport                                            \
    ",\"removed\":0,\"deltaOnly\":0,\"bad\":0,\"added\":0}"
#define FILE_OF(name, in, transport)                                                               \
    "{\"file\":" name "," ZEROS "," BYTES(in, transport) ",\"byType\":{}}"
#define REPORT(files, in, transport)                                                               \
    "{\"schema\":1,\"files\":[" files "]," ZEROS "," BYTES(in, transport) ",\"byType\":{}}"

/* {"type":"a"} and LF */
#define ONE_EVENT                                                                                  \
    "\"events\":1,\"lines\":1,\"turns\":0,\"steps\":0,\"blocks\":0,\"restarts\":0,"                \
    "\"longestLine\":12,\"badLines\":0,\"payload\":{\"messageSoFar\":0,\"reasoningSoFar\":0,"      \
    "\"inputTextOffset\":0,\"messageOffset\":0,\"reasoningOffset\":0},"                            \
    "\"bytes\":{\"in\":13,\"deltaOnly\":13,\"removed\":0,\"transport\":0,\"bad\":0,\"added\":0},"  \
    "\"byType\":{\"\\u0061\":{\"events\":1,\"bytes\":13,\"removed\":0}}"

static struct eve_merge m;

static enum eve_rule rule_of(struct eve_slice text)
{
    struct eve_err err = {0};
    size_t before = m.files.count;
    enum eve_status status = eve_merge_report(&m, text, &err);
    CHECK(status == EVE_OK ||
          (status == EVE_BAD && err.msg != NULL && err.pos <= text.n && m.files.count == before));
    return status == EVE_OK ? EVE_RULE_NONE : err.rule;
}
#define RULE(text) rule_of(S(text))

static void strict(void)
{
    TEST("reports that are taken");
    eve_merge_init(&m, stat_seed);
    CHECK(RULE(REPORT("", "0", "0")) == EVE_RULE_NONE);
    CHECK(RULE(REPORT(FILE_OF("\"a\"", "5", "5"), "5", "5")) == EVE_RULE_NONE);
    CHECK(RULE(REPORT(FILE_OF("\"\\u0061\"", "50e-1", "5.0"), "5", "5")) == EVE_RULE_NONE);
    CHECK(m.files.count == 1 && m.files.list[0]->tally.n[EVE_TALLY_IN] == 10);
    CHECK(RULE("{\"more\":[{}],\"files\":[{\"x\":1,\"stopped\":{\"rule\":\"r\",\"line\":7,\"y\":0}"
               ",\"file\":\"b\"}],\"schema\":1," ZEROS
               "," BYTES("0", "0") ",\"byType\":{}}") == EVE_RULE_NONE);
    CHECK(m.files.count == 2 && m.files.list[1]->state == EVE_ACCOUNT_STOPPED);

    TEST("what is no JSON, or no object");
    CHECK(RULE("") == EVE_RULE_JSON_SYNTAX && RULE("{") == EVE_RULE_JSON_SYNTAX);
    CHECK(RULE(REPORT("", "0", "0") "x") == EVE_RULE_JSON_SYNTAX);
    CHECK(RULE(REPORT("", "00", "0")) == EVE_RULE_JSON_SYNTAX);
    CHECK(RULE("{\"schema\":\"\xff\"}") == EVE_RULE_JSON_UTF8);
    CHECK(RULE("[]") == EVE_RULE_NOT_OBJECT && RULE("1") == EVE_RULE_NOT_OBJECT);

    TEST("what is no report");
    CHECK(RULE("{}") == EVE_RULE_BAD_DATA && RULE("{\"type\":\"x\"}") == EVE_RULE_BAD_DATA);
    CHECK(RULE("{\"schema\":2,\"files\":[]," ZEROS "," BYTES("0", "0") ",\"byType\":{}}") ==
          EVE_RULE_BAD_DATA);
    CHECK(RULE("{\"schema\":1,\"files\":[]," ZEROS ",\"byType\":{}}") == EVE_RULE_BAD_DATA);
    CHECK(RULE("{\"schema\":1,\"files\":[]," ZEROS "," BYTES("0", "0") "}") == EVE_RULE_BAD_DATA);
    CHECK(RULE("{\"schema\":1," ZEROS "," BYTES("0", "0") ",\"byType\":{}}") == EVE_RULE_BAD_DATA);
    CHECK(RULE("{\"schema\":1,\"files\":{}," ZEROS "," BYTES("0", "0") ",\"byType\":{}}") ==
          EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT("1", "0", "0")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT("{}", "0", "0")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT("{\"file\":\"a\"}", "0", "0")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT("{\"file\":\"a\",\"stopped\":{}}", "0", "0")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT(FILE_OF("1", "0", "0"), "0", "0")) == EVE_RULE_BAD_DATA);

    TEST("figures that are no whole numbers, given twice, or do not add up");
    CHECK(RULE(REPORT("", "-1", "-1")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT("", "\"0\"", "0")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT("", "0.5", "0.5")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT("", "18446744073709551616", "18446744073709551616")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT(FILE_OF("\"a\"", "5", "4"), "5", "4")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT(FILE_OF("\"a\"", "5", "5"), "6", "6")) == EVE_RULE_BAD_DATA);
    CHECK(RULE(REPORT("", "0", "0") "") == EVE_RULE_NONE);
    CHECK(RULE("{\"schema\":1,\"events\":0,\"files\":[]," ZEROS
               "," BYTES("0", "0") ",\"byType\":{}}") == EVE_RULE_BAD_DATA);
    CHECK(RULE("{\"schema\":1,\"files\":[]," ZEROS "," BYTES(
              "0", "0") ",\"byType\":{\"a\":{\"events\":1,\"bytes\":1}}}") == EVE_RULE_BAD_DATA);
    eve_merge_fini(&m);

    TEST("numbers over 2^53 are exact, sums over 2^64 refused");
    eve_merge_init(&m, stat_seed);
    CHECK(RULE(REPORT(FILE_OF("\"a\"", "9007199254740993", "9007199254740993"), "9007199254740993",
                      "9007199254740993")) == EVE_RULE_NONE);
    CHECK(m.files.list[0]->tally.n[EVE_TALLY_IN] == UINT64_C(9007199254740993));
    CHECK(RULE(REPORT(FILE_OF("\"a\"", "18446744073709551615", "18446744073709551615"),
                      "18446744073709551615", "18446744073709551615")) == EVE_RULE_BAD_DATA);
    eve_merge_fini(&m);
}

/* Any order of parts, in any grouping, gives the same bytes. */
static void orders(void)
{
    static const char *const parts[] = {
        REPORT(FILE_OF("\"b\"", "1", "1"), "1", "1"),
        REPORT("{\"file\":\"c\",\"stopped\":{\"line\":9,\"rule\":\"x\"}}", "0", "0"),
        REPORT(FILE_OF("\"c\"", "2", "2"), "2", "2"),
        REPORT("{\"file\":\"c\",\"stopped\":{\"line\":3,\"rule\":\"z\"}}", "0", "0"),
        REPORT("{\"file\":\"c\",\"stopped\":{\"line\":3,\"rule\":\"y\"}}", "0", "0"),
        REPORT(FILE_OF("\"a\"", "4", "4"), "4", "4")};
    enum { PARTS = sizeof parts / sizeof *parts };
    static char first[1 << 16];
    static char text[1 << 16];
    uint64_t state = 5;
    size_t first_n = 0;
    TEST("any order of parts gives the same bytes");
    for (int round = 0; round < 200; round++) {
        struct eve_merge halves[2];
        struct eve_err err = {0};
        size_t order[PARTS];
        for (size_t i = 0; i < PARTS; i++) {
            size_t at = aid_below(&state, i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        eve_merge_init(&halves[0], stat_seed);
        eve_merge_init(&halves[1], stat_seed);
        for (size_t i = 0; i < PARTS; i++)
            CHECK(eve_merge_report(&halves[aid_below(&state, 2)], eve_str(parts[order[i]]), &err) ==
                  EVE_OK);
        CHECK(eve_merge_add(&halves[0], &halves[1], &err) == EVE_OK);
        eve_accounts_sort(&halves[0].files);
        size_t n = write_report(&halves[0].files, true, round == 0 ? first : text, sizeof text);
        first_n = round == 0 ? n : first_n;
        eve_merge_fini(&halves[0]);
        eve_merge_fini(&halves[1]);
        if (round > 0 && !CHECK_EQ_MEM(text, n, first, first_n))
            break;
    }
    CHECK(strstr(first, "{\"file\":\"c\",\"stopped\":{\"line\":3,\"rule\":\"y\"}}") != NULL);
    CHECK(strstr(first, "\"in\":5,") != NULL);
}

static void torture(void)
{
    struct eve_err err = {0};
    size_t clean = 0;
    size_t failures = 0;
    TEST("reading and writing in which each allocation fails in turn");
    for (size_t i = 1; clean < 20; i++) {
        static char text[1 << 16];
        struct eve_merge part;
        eve_merge_init(&m, stat_seed);
        eve_merge_init(&part, stat_seed);
        eve_mem_test_fail(i, false);
        enum eve_status status = eve_merge_report(
            &part,
            S("{\"schema\":1,\"files\":[{\"file\":\"\\u0061\"," ONE_EVENT
              "},{\"file\":\"b\",\"stopped\":{\"line\":1,\"rule\":\"r\"}}]," ONE_EVENT "}"),
            &err);
        status = status == EVE_OK ? eve_merge_add(&m, &part, &err) : status;
        if (status == EVE_OK && write_report(&m.files, true, text, sizeof text) == 0)
            status = eve_fail(&err, EVE_FAIL, EVE_RULE_NONE, "", 0, ENOMEM);
        eve_mem_test_fail(0, false);
        eve_merge_fini(&part);
        eve_merge_fini(&m);
        clean += status == EVE_OK ? 1 : 0;
        failures += status == EVE_OK ? 0 : 1;
        if (!CHECK(status == EVE_OK || (status == EVE_FAIL && err.sys == ENOMEM && clean == 0)))
            break;
    }
    CHECK(failures > 20);
}

void test_merge(void);
void test_merge(void)
{
    recorded();
    strict();
    orders();
    torture();
}
