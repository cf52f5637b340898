#include "check.h"
#include "expect_file.h"
#include "str.h"

#include <stdlib.h>

void test_expect(void);

static struct eve_err err;
static char *copy; /* what was read last */

static enum eve_status read_text(struct eve_expect_file *f, const char *text, size_t n)
{
    /* a copy of just that length, so that a read beyond it is seen */
    free(copy);
    copy = malloc(n > 0 ? n : 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, text, n);
    eve_expect_file_init(f);
    enum eve_status status = eve_expect_file_read(f, (struct eve_slice){copy, n}, &err);
    if (status != EVE_OK) {
        eve_expect_file_fini(f);
    }
    return status;
}

static const char whole[] =
    "{\"schema\":1, \"events\":{\"a.b\":2,\"*\":{\"min\":1,\"max\":9007199254740991}},"
    "\"turns\":{\"t\":{\"status\":\"open\",\"text\":{\"matches\":\"^a|b$\",\"contains\":\"x\"},"
    "\"finishReasons\":[\"stop\"]},\"u\":{\"text\":null}},\"toolCalls\":[{\"input\":[1,{}],"
    "\"name\":\"n\"},{\"name\":\"m\"}],\"order\":[\"a.b\",\"c.d\"],\"bytes\":{\"max\":7},"
    "\"versions\":[21,26],\"noRetries\":true}";

static void everything(void)
{
    struct eve_expect_file f;
    TEST("an expectation with everything in it");
    if (!CHECK(read_text(&f, whole, strlen(whole)) == EVE_OK)) {
        return;
    }
    CHECK(f.counts->range.min == 2 && f.counts->range.max == 2);
    CHECK(f.counts->next->range.max == UINT64_C(9007199254740991) && f.counts->next->next == NULL);
    CHECK(f.turns->text.regex != NULL && f.turns->text.contains.kind == EVE_JSON_STRING);
    CHECK(f.turns->reasons.kind == EVE_JSON_ARRAY && f.turns->next->text.absent);
    CHECK_EQ_MEM(f.calls->input.p, f.calls->input.n, "[1,{}]", 6);
    CHECK(f.calls->next->input.kind == EVE_JSON_NONE && f.order->next->next == NULL);
    CHECK(f.bytes.given && f.bytes.min == 0 && f.bytes.max == 7);
    CHECK(f.versions == (1 | 1 << 5) && f.no_retries);
    eve_expect_file_fini(&f);
}

static void prefixes(void)
{
    struct eve_expect_file f;
    bool all = true;
    TEST("none of its beginnings is one");
    for (size_t n = 0; n < strlen(whole); n++) {
        all = all && read_text(&f, whole, n) == EVE_BAD && err.pos <= n;
    }
    CHECK(all);
}

void test_expect(void)
{
    everything();
    prefixes();
    free(copy);
    copy = NULL;
}
