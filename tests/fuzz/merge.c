/*
 * A report of evestat read back: any bytes at all. What is refused has added nothing.
 */
#include "fuzz.h"

#include "merge.h"

int LLVMFuzzerTestOneInput(const uint8_t *p, size_t n)
{
    static const uint64_t seed[2] = {1, 2};
    struct eve_err err;
    struct eve_merge m;
    struct eve_slice text = {(const char *)p, n};
    eve_merge_init(&m, seed);
    enum eve_status status = eve_merge_report(&m, text, &err);
    HOLDS(status != EVE_FAIL);
    HOLDS(status == EVE_OK || (err.pos <= n && m.files.count == 0));
    if (status == EVE_OK) {
        size_t files = m.files.count;
        status = eve_merge_report(&m, text, &err); /* sums may be too great now */
        HOLDS(status != EVE_FAIL && m.files.count == files);
    }
    eve_merge_fini(&m);
    return 0;
}
