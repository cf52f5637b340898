/*
 * reference: what evecheck holds a stream against: an expectation (expect.h), a golden stream
 * (golden.h), or both; and the expectation that is written from a stream.
 *
 * Both are read before the first file. Then each file goes through: reference_event for its good
 * events, reference_end at its end.
 */
#ifndef CLI_REFERENCE_H
#define CLI_REFERENCE_H

#include "base.h"
#include "decode.h"
#include "event.h"
#include "out.h"
#include "report.h"
#include "rules.h"

struct reference_options {
    const char *expect;      /* --expect, or NULL */
    const char *golden;      /* --golden, or NULL */
    const char *const *skip; /* --ignore, each TYPE or TYPE/PATH */
    size_t skips;
    bool exact_chunks;
    bool write_expect;               /* gather what reference_write needs */
    const char *group;               /* --group-by, or NULL; for reading the golden stream */
    size_t max_line;                 /* --max-line, for reading both */
    const struct eve_finder *finder; /* borrowed until reference_free */
    uint64_t seed[2];
};

struct reference;

/* Check that neither the expectation nor the golden stream is the regular file that the output
 * (NULL: standard output) goes to; told, and false, if so. */
bool reference_stays(const struct reference_options *options, const char *output,
                     struct report *report);

/* Read what the options name. False: it was told, and the report has the status. In that case, as
 * in any, *out may be given to reference_free. */
bool reference_new(struct reference **out, const struct reference_options *options,
                   struct report *report);
void reference_free(struct reference *r);

/* The word after --ignore makes sense. */
bool reference_skip_is_good(const char *word);

/* A good event of the file at hand. `version`: declared, or EVE_VERSION_AUTO; `index`: its number,
 * with --start-index added. EVE_FAIL: no memory, or as the finder's callback said. */
EVE_MUST_USE enum eve_status reference_event(struct reference *r, const struct eve_event *ev,
                                             const struct eve_decoder *d, unsigned version,
                                             uint64_t line, uint64_t index, struct eve_err *err);

/* A finding of another rule was made (called from the finder's callback): retries are counted by
 * the rules that see them. */
void reference_saw(struct reference *r, const struct eve_finding *finding);

/* The file is over, `bytes` long: tell what does not hold, and be ready for the next; not read to
 * its end (`whole` false) it is only forgotten. After eve_check_end, which may still tell of
 * retries. EVE_FAIL: as above. */
EVE_MUST_USE enum eve_status reference_end(struct reference *r, bool whole, uint64_t bytes,
                                           struct eve_err *err);

/* Instead of reference_end, with write_expect: write an expectation that the file at hand meets.
 * EVE_FAIL: as above, or the output failed. */
EVE_MUST_USE enum eve_status reference_write(struct reference *r, struct eve_out *out,
                                             struct eve_err *err);

#endif
