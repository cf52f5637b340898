/*
 * messages_label: the name of a tool as people read it.
 *
 * "web__getHTTPStatus_code" becomes "Get HTTP status code": what stands behind the last "__", cut
 * into words where the case changes and at spaces, "_" and "-"; words in lower case but for those
 * that are all capitals, the first letter a capital.
 */
#ifndef EVE_MESSAGES_LABEL_H
#define EVE_MESSAGES_LABEL_H

#include "base.h"
#include "buf.h"

/* Append the label of `name`; both are raw text. EVE_FAIL here and below: no memory. */
EVE_MUST_USE enum eve_status eve_messages_label(struct eve_buf *out, struct eve_slice name,
                                                struct eve_err *err);

/* Append `text` with its first UTF-16 unit in upper case; both are raw text. */
EVE_MUST_USE enum eve_status eve_messages_capitalize(struct eve_buf *out, struct eve_slice text,
                                                     struct eve_err *err);

#endif
