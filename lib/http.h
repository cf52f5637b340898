/*
 * http: the response head in front of a stream, as `curl -i` and `curl --raw -i` print it.
 *
 * Fed line by line until it says that the body begins. A head that is followed by another one (an
 * interim 1xx, a redirect, a proxy's CONNECT) is superseded by it. Names are read without case
 * (RFC 9110).
 */
#ifndef EVE_HTTP_H
#define EVE_HTTP_H

#include "base.h"

struct eve_http {
    unsigned status;  /* of the last head */
    unsigned version; /* of the stream, 21 to 26 */
    bool chunked;     /* transfer-encoding ends in chunked */
    bool in_head;     /* between a status line and the empty line */
    bool has_version; /* x-eve-stream-version was there */
    bool bad_version; /* and is not a version we know */
    bool encoded;     /* a content-encoding other than identity */
    bool has_length;  /* content-length was there */
    uint64_t length;  /* and says so many bytes */
};

void eve_http_init(struct eve_http *h);

/* Take one line without its LF. EVE_OK: it was part of a head. EVE_END: the body begins with this
 * line, which is not taken. EVE_FAIL: the input does not begin with a response head. */
EVE_MUST_USE enum eve_status eve_http_line(struct eve_http *h, struct eve_slice line,
                                           struct eve_err *err);

/* After the last head: may the body be read as an event stream? EVE_FAIL: err->msg says why not.
 * A status other than 200 is the caller's to report, with the body's own message. */
EVE_MUST_USE enum eve_status eve_http_check(const struct eve_http *h, struct eve_err *err);

/* The line, CR included, is the size line of a chunk: hex digits, then perhaps an extension. */
bool eve_http_is_chunk_size(struct eve_slice line);

#endif
