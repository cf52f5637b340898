#include "aid.h"
#include "http.h"

#include <string.h>

static struct eve_err err;

/* Feeds the lines of `text`; the number of them that belong to heads, -1 if it fails. */
static int feed(struct eve_http *h, const char *text)
{
    int taken = 0;
    eve_http_init(h);
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        enum eve_status status = eve_http_line(h, (struct eve_slice){text, n}, &err);
        if (status != EVE_OK)
            return status == EVE_END ? taken : -1;
        taken++;
        text += n + (text[n] == '\n' ? 1 : 0);
    }
    return taken;
}

#define V26 "x-eve-stream-version: 26\r\n"

static void heads(void)
{
    struct eve_http h;
    TEST("heads");
    CHECK_EQ_INT(feed(&h, "HTTP/1.1 200 OK\r\nX-Eve-STREAM-Version:\t26 \r\n\r\n{}\n"), 3);
    CHECK(h.status == 200 && h.version == 26 && !h.chunked && !h.encoded && !h.in_head);
    CHECK(eve_http_check(&h, &err) == EVE_OK);
    CHECK_EQ_INT(feed(&h, "HTTP/2 200 \nx-eve-stream-version:21\n\n\n"), 3);
    CHECK(h.version == 21 && eve_http_check(&h, &err) == EVE_OK);
    CHECK_EQ_INT(feed(&h, "HTTP/3 404\r\n" V26 "\r\n"), 3);
    CHECK(h.status == 404);

    TEST("a later head supersedes those before it");
    CHECK_EQ_INT(feed(&h, "HTTP/1.1 200 Connection established\r\n\r\n"
                          "HTTP/1.1 100 Continue\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "HTTP/1.1 302 Found\r\nx-eve-stream-version: 21\r\n"
                          "Content-Encoding: gzip\r\n\r\n"
                          "HTTP/1.1 200 OK\r\n" V26 "\r\n\r\n"),
                 12);
    CHECK(h.status == 200 && h.version == 26 && !h.chunked && !h.encoded);

    TEST("coding of the transfer and the content");
    CHECK(feed(&h, "HTTP/1.1 200\nTransfer-Encoding: gzip , Chunked\n\n") == 3 && h.chunked);
    CHECK(feed(&h, "HTTP/1.1 200\nTransfer-Encoding: chunked, gzip\n\n") == 3 && !h.chunked);
    CHECK(feed(&h, "HTTP/1.1 200\nTransfer-Encoding: xchunked\n\n") == 3 && !h.chunked);
    CHECK(feed(&h, "HTTP/1.1 200\nContent-Encoding: Identity\n\n") == 3 && !h.encoded);
    CHECK(feed(&h, "HTTP/1.1 200\nContent-Encoding: br\n" V26 "\n") == 4 && h.encoded);
    CHECK(eve_http_check(&h, &err) == EVE_FAIL);
    CHECK(feed(&h, "HTTP/1.1 200\nno header\n" V26 "\n") == 4 && h.version == 26);
}

static void refused(void)
{
    static const char *const bodies[] = {
        "{}\n",           "\n",         "HTTP/\n",       "HTTP/x 200\n",
        "http/1.1 200\n", "HTTP/1.1\n", "HTTP/1.1 20\n", "HTTP/1.1 2x0\n",
        "HTTP/1.1200\n"};
    static const char *const versions[] = {"20", "27", "2", "260", "", "x", "26.0", "2 6"};
    struct eve_http h;
    char text[80];
    TEST("what is no head");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        CHECK_EQ_INT(feed(&h, bodies[i]), -1);
    TEST("versions that are not read");
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        strcpy(text, "HTTP/1.1 200\nx-eve-stream-version: ");
        strcat(strcat(text, versions[i]), "\n\n");
        CHECK(feed(&h, text) == 3 && h.has_version && eve_http_check(&h, &err) == EVE_FAIL);
    }
    CHECK(feed(&h, "HTTP/1.1 200\nx: y\n\n") == 3 && eve_http_check(&h, &err) == EVE_FAIL);
    CHECK(feed(&h, "HTTP/1.1 200\n" V26) == 2 && eve_http_check(&h, &err) == EVE_FAIL);
}

static void chunk_sizes(void)
{
    TEST("size lines of chunks");
    CHECK(eve_http_is_chunk_size(S("0\r")) && eve_http_is_chunk_size(S("1aF\r")));
    CHECK(eve_http_is_chunk_size(S("10;a=b\r")) && eve_http_is_chunk_size(S("10 \r")));
    CHECK(!eve_http_is_chunk_size(S("10")) && !eve_http_is_chunk_size(S("\r")));
    CHECK(!eve_http_is_chunk_size(S("")) && !eve_http_is_chunk_size(S("{}\r")));
    CHECK(!eve_http_is_chunk_size(S("1g\r")) && !eve_http_is_chunk_size(S("1{\r")));
}

void test_http(void);
void test_http(void)
{
    heads();
    refused();
    chunk_sizes();
}
