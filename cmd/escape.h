/*
 * escape: any bytes as a part of a document that stays valid.
 *
 * What is not UTF-8, and what the document cannot hold, becomes U+FFFD. Each function appends to
 * `out`; EVE_FAIL: no memory.
 */
#ifndef CLI_ESCAPE_H
#define CLI_ESCAPE_H

#include "base.h"
#include "buf.h"

/* A JSON string, quotes included; also a double-quoted scalar of YAML. */
EVE_MUST_USE enum eve_status escape_json(struct eve_buf *out, struct eve_slice s,
                                         struct eve_err *err);

/* Text of XML 1.0, fit for an element and for an attribute in double quotes. */
EVE_MUST_USE enum eve_status escape_xml(struct eve_buf *out, struct eve_slice s,
                                        struct eve_err *err);

/* Text of a GitHub workflow command, or (`property`) the value of one of its properties. */
EVE_MUST_USE enum eve_status escape_github(struct eve_buf *out, struct eve_slice s, bool property,
                                           struct eve_err *err);

/* A path as a URI reference, byte by byte: all but unreserved characters and slashes in percent
 * form. */
EVE_MUST_USE enum eve_status escape_uri(struct eve_buf *out, struct eve_slice s,
                                        struct eve_err *err);

#endif
