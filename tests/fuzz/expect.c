/*
 * An expectation file: any bytes at all. It is read or refused with a place, and what is read is held
 * against a stream of nothing.
 */
#include "fuzz.h"

#include "expect.h"

static enum eve_status on_found(void *ctx, const struct eve_finding *f, struct eve_err *err)
{
    (void)ctx;
    (void)err;
    HOLDS(f->rule == EVE_RULE_EXPECT && f->message != NULL);
    return EVE_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    struct eve_err err;
    struct eve_finder finder;
    struct eve_expect *expect = NULL;
    struct eve_expect_file file;
    struct eve_expect_options options = {.file = &file, .finder = &finder, .seed = {1, 2}};
    eve_finder_init(&finder, on_found, NULL);
    eve_expect_file_init(&file);
    enum eve_status status =
        eve_expect_file_read(&file, (struct eve_slice){(const char *)p, n}, &err);
    HOLDS(status != EVE_FAIL);
    HOLDS(status == EVE_OK || err.pos <= n);
    if (status == EVE_OK) {
        HOLDS(eve_expect_new(&expect, &options, &err) == EVE_OK);
        HOLDS(eve_expect_end(expect, true, 0, &err) == EVE_OK);
        eve_expect_free(expect);
    }
    eve_expect_file_fini(&file);
    return 0;
}
