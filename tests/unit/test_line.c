#include "aid.h"
#include "line.h"
#include "mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct eve_err err;

/* What the reader said, as text: each line in <> with its number, `$` if it was not ended, `!` if
 * it was too long, with the rest in pieces put together; then the status at the end. */
static char trace[4096];
static size_t trace_n;

static void add(const char *p, size_t n)
{
    if (n > 0 && trace_n + n < sizeof trace)
        memcpy(trace + trace_n, p, n);
    trace_n += n;
}

static void add_rest(struct eve_line_reader *r)
{
    struct eve_slice piece = {0};
    add("+", 1);
    while (eve_line_rest(r, &piece, &err) == EVE_OK)
        add(piece.p, piece.n);
    add(r->rest_ended ? "." : "$", 1);
}

enum { REST = 1, BACK = 2, DECHUNK = 4 };

static void read_all(int fd, struct eve_line_options options, int flags)
{
    struct eve_line_reader r;
    struct eve_line line = {0};
    enum eve_status status = EVE_OK;
    uint64_t want = 1;
    trace_n = 0;
    eve_line_init(&r, fd, &options);
    if (flags & DECHUNK)
        eve_line_dechunk(&r);
    for (;;) {
        status = eve_line_next(&r, &line, &err);
        if (status != EVE_OK && status != EVE_BAD)
            break;
        if (status == EVE_OK && flags & BACK) {
            eve_line_back(&r, &line);
            CHECK(eve_line_next(&r, &line, &err) == EVE_OK);
        }
        CHECK(line.number == want++);
        add("<", 1);
        add(line.text.p, line.text.n);
        add(status == EVE_BAD ? "!" : line.ended ? ">" : "$", 1);
        if (status == EVE_BAD) {
            CHECK(err.rule == EVE_RULE_LINE_TOO_LONG && err.pos == options.max_bytes);
            if (flags & REST)
                add_rest(&r);
        }
    }
    if (status == EVE_FAIL)
        add(err.rule == EVE_RULE_TRUNCATED ? "truncated" : "fail", 4);
    CHECK(eve_line_next(&r, &line, &err) == status); /* and stays so */
    eve_line_fini(&r);
}

static int piped(struct eve_slice s)
{
    int ends[2];
    if (!CHECK(pipe(ends) == 0 && write(ends[1], s.p, s.n) == (ssize_t)s.n))
        exit(1);
    close(ends[1]);
    return ends[0];
}

/* Every read size, from a file and from a pipe. */
static void same_for_all(struct eve_slice in, size_t max, int flags, const char *want)
{
    for (size_t size = 0; size <= in.n + 1; size++) {
        for (int kind = 0; kind < 2; kind++) {
            int fd = kind ? piped(in) : aid_file(in);
            read_all(fd, (struct eve_line_options){.max_bytes = max, .read_bytes = size}, flags);
            CHECK_EQ_MEM(trace, trace_n, want, strlen(want));
            close(fd);
        }
    }
}

static void sizes(void)
{
    static const struct {
        const char *in, *want;
    } cases[] = {
        {"", ""},
        {"\n", "<>"},
        {"a", "<a$"},
        {"a\n", "<a>"},
        {"\n\na", "<><><a$"},
        {"a\r\n\r\nb\n", "<a\r><\r><b>"},
        {"one\ntwo\n\nthree\nfour", "<one><two><><three><four$"},
        {"\xef\xbb\xbf{\"a\":\"\xc3\xa9\"}\n\xf0\x9f\x98\x80\n",
         "<\xef\xbb\xbf{\"a\":\"\xc3\xa9\"}>"
         "<\xf0\x9f\x98\x80>"},
    };
    TEST("any read size gives the same lines");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        same_for_all(eve_str(cases[i].in), 0, 0, cases[i].want);
        same_for_all(eve_str(cases[i].in), 0, BACK, cases[i].want);
    }
    int fd = aid_file(S("a\0b\n\0\n"));
    read_all(fd, (struct eve_line_options){0}, 0);
    CHECK_EQ_MEM(trace, trace_n, "<a\0b><\0>", 8);
    close(fd);
}

static void limits(void)
{
    TEST("lines over the limit");
    same_for_all(S("abc\nabcd\nab\n"), 3, 0, "<abc><abc!<ab>");
    same_for_all(S("abc\nabcdefgh\nab\n"), 3, REST, "<abc><abc!+defgh.<ab>");
    same_for_all(S("abcdefgh"), 3, REST, "<abc!+defgh$");
    same_for_all(S("abcd\n"), 3, REST, "<abc!+d.");
    same_for_all(S("abcdefgh"), 3, 0, "<abc!");
    same_for_all(S("abc"), 3, 0, "<abc$");
    same_for_all(S("ab\n\nabcd\nabcd\n"), 1, BACK, "<a!<><a!<a!");
    same_for_all(S("2\r\nab\r\n3\r\ncd\n\r\n0\r\n\r\n"), 2, REST | DECHUNK, "<ab!+cd.");
}

/* Lines of several buffers, each letter told by its place. */
static void long_lines(void)
{
    enum { LEN = 3 * (int)EVE_LINE_BLOCK + 17, LINES = 3 };
    static const size_t reads[] = {0, 4096, 100000, EVE_LINE_BLOCK * 2};
    char *text = malloc((LEN + 1) * LINES);
    struct eve_line line = {0};
    TEST("lines longer than several buffers");
    if (!CHECK(text != NULL))
        exit(1);
    for (size_t i = 0; i < (size_t)(LEN + 1) * LINES; i++)
        text[i] = (i + 1) % (LEN + 1) == 0 ? '\n' : (char)('a' + i % 23);
    int fd = memfd_create("unit", MFD_CLOEXEC);
    CHECK(write(fd, text, (LEN + 1) * LINES - 1) == (LEN + 1) * LINES - 1);
    for (size_t k = 0; k < sizeof reads / sizeof *reads; k++) {
        struct eve_line_reader r;
        lseek(fd, 0, SEEK_SET);
        eve_line_init(&r, fd, &(struct eve_line_options){.read_bytes = reads[k]});
        for (size_t i = 0; i < LINES; i++) {
            CHECK(eve_line_next(&r, &line, &err) == EVE_OK && line.ended == (i + 1 < LINES));
            CHECK(line.text.n == LEN && memcmp(line.text.p, text + i * (LEN + 1), LEN) == 0);
        }
        CHECK(eve_line_next(&r, &line, &err) == EVE_END);
        CHECK(r.cap <= 2 * LEN + 2 * EVE_LINE_BLOCK && r.bytes == (LEN + 1) * LINES - 1);
        eve_line_fini(&r);
    }
    close(fd);
    free(text);
}

static void chunks(void)
{
    static const struct {
        const char *in, *want;
    } cases[] = {
        {"4\r\na\nb\n\r\n0\r\n\r\n", "<a><b>"},
        {"1\r\na\r\n1\r\n\n\r\n2;x=y\r\nbc\r\n0\r\nT: x\r\n\r\n", "<a><bc$"},
        {"3\r\na\nb\r\n0\r\n\r\nafter\n", "<a><b$fail"},
        {"0\r\n\r\n", ""},
        {"5\r\na\nb", "<a><b$trun"},
        {"2\r\na\n\r\n", "<a>trun"},
        {"", "trun"},
        {"2\r\na\n\r\nx", "<a>fail"},
        {"4\r\na\nbc\r\nx\r\n", "<a><bc$fail"},
        {"{\"type\":1}\n", "fail"},
    };
    TEST("chunks, decoded at any boundary");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        same_for_all(eve_str(cases[i].in), 0, DECHUNK, cases[i].want);
    TEST("a broken chunk in an overlong line begins no new line");
    same_for_all(S("9\r\nabcdefghi\r\nx"), 3, REST | DECHUNK, "<abc!+defghi$fail");
    same_for_all(S("3\r\nabc\r\n3\r\ndef\r\nx"), 2, REST | DECHUNK, "<ab!+cdef$fail");
    same_for_all(S("3\r\nabc\r\n3\r\ndef\r\nx"), 2, DECHUNK, "<ab!fail");
}

/* A head of plain lines, then chunks: the bytes that were read already are decoded too. */
static void dechunk_late(void)
{
    static const char in[] = "head\n\n6\r\none\ntw\r\n2\r\no\n\r\n0\r\n\r\n";
    struct eve_line line = {0};
    TEST("chunks that begin behind a head");
    for (size_t size = 1; size <= sizeof in; size++) {
        struct eve_line_reader r;
        int fd = aid_file(S(in));
        eve_line_init(&r, fd, &(struct eve_line_options){.read_bytes = size});
        CHECK(eve_line_next(&r, &line, &err) == EVE_OK);
        CHECK(eve_line_next(&r, &line, &err) == EVE_OK && line.text.n == 0);
        CHECK(eve_line_next(&r, &line, &err) == EVE_OK);
        CHECK_SLICE(line.text, "6\r");
        eve_line_back(&r, &line);
        eve_line_dechunk(&r);
        CHECK(eve_line_next(&r, &line, &err) == EVE_OK && line.number == 3);
        CHECK_SLICE(line.text, "one");
        CHECK(eve_line_next(&r, &line, &err) == EVE_OK);
        CHECK_SLICE(line.text, "two");
        CHECK(eve_line_next(&r, &line, &err) == EVE_END);
        CHECK(r.bytes == sizeof in - 1 && r.framing == sizeof in - 1 - 6 - 8);
        eve_line_fini(&r);
        close(fd);
    }
}

/* The hook is called before each read, and told when there is nothing to read yet. */
struct watch {
    int calls, blocked, answer, feed_fd;
};

static int watched(void *ctx, bool blocks)
{
    struct watch *w = ctx;
    w->calls++;
    w->blocked += blocks ? 1 : 0;
    if (blocks && w->feed_fd >= 0) {
        CHECK(write(w->feed_fd, "x\n", 2) == 2);
        close(w->feed_fd);
        w->feed_fd = -1;
    }
    return w->answer;
}

static void hooks(void)
{
    struct eve_line_reader r;
    struct eve_line line = {0};
    struct watch w = {0, 0, 0, -1};
    struct eve_line_options options = {.hook = watched, .hook_ctx = &w, .read_bytes = 3};
    int ends[2];
    TEST("the hook");
    int fd = aid_file(S("ab\ncd\n"));
    read_all(fd, options, 0);
    close(fd);
    CHECK(w.calls == 3 && w.blocked == 0);
    if (!CHECK(pipe(ends) == 0))
        return;
    w = (struct watch){0, 0, 10, ends[1]};
    read_all(ends[0], options, 0);
    CHECK_EQ_MEM(trace, trace_n, "<x>", 3);
    CHECK(w.blocked >= 1);
    close(ends[0]);
    w = (struct watch){0, 0, -2, -1};
    fd = aid_file(S("ab\n"));
    eve_line_init(&r, fd, &options);
    CHECK(eve_line_next(&r, &line, &err) == EVE_FAIL && err.sys == EINTR && w.calls == 1);
    eve_line_fini(&r);
    close(fd);
}

/* What was handed out is good until the hook was called, though the buffer is moved then. */
static struct eve_slice lent[4];
static size_t lent_n;

static int settles(void *ctx, bool blocks)
{
    static const char *const want[] = {"one", "two", "three", "four"};
    size_t *seen = ctx;
    (void)blocks;
    for (size_t i = 0; i < lent_n; i++)
        CHECK_EQ_MEM(lent[i].p, lent[i].n, want[*seen + i], strlen(want[*seen + i]));
    *seen += lent_n;
    lent_n = 0;
    return -1;
}

static void lending(void)
{
    struct eve_line_reader r;
    struct eve_line line = {0};
    TEST("lines stay until the hook was called");
    for (size_t size = 1; size < 24; size++) {
        size_t seen = 0;
        struct eve_line_options options = {.read_bytes = size, .hook = settles, .hook_ctx = &seen};
        int fd = aid_file(S("one\ntwo\nthree\nfour\nlast"));
        eve_line_init(&r, fd, &options);
        while (eve_line_next(&r, &line, &err) == EVE_OK)
            if (line.ended)
                lent[lent_n++] = line.text;
        CHECK(seen == 4 && lent_n == 0);
        eve_line_fini(&r);
        close(fd);
    }

    TEST("lines taken without a search");
    int fd = aid_file(S("one\ntwo\nthree"));
    eve_line_init(&r, fd, &(struct eve_line_options){0});
    CHECK(eve_line_peek(&r).n == 0 && eve_line_next(&r, &line, &err) == EVE_OK);
    CHECK_SLICE(eve_line_peek(&r), "two\nthree");
    eve_line_take(&r, 3, &line);
    CHECK_SLICE(line.text, "two");
    CHECK(line.number == 2 && line.ended && eve_line_next(&r, &line, &err) == EVE_OK);
    CHECK(line.number == 3 && !line.ended && eve_line_peek(&r).n == 0);
    eve_line_fini(&r);
    close(fd);
}

static void fails(void)
{
    struct eve_line_reader r;
    struct eve_line line = {0};
    TEST("what cannot be read");
    int fd = aid_file(S("a\n"));
    close(fd);
    eve_line_init(&r, fd, &(struct eve_line_options){0});
    CHECK(eve_line_next(&r, &line, &err) == EVE_FAIL && err.sys == EBADF);
    eve_line_fini(&r);
    fd = aid_file(S("a\n"));
    eve_line_init(&r, fd, &(struct eve_line_options){0});
    eve_mem_test_fail(1, false);
    CHECK(eve_line_next(&r, &line, &err) == EVE_FAIL && err.sys == ENOMEM);
    CHECK(eve_line_next(&r, &line, &err) == EVE_OK && line.number == 1);
    eve_line_fini(&r);
    close(fd);
}

void test_line(void);
void test_line(void)
{
    sizes();
    limits();
    long_lines();
    chunks();
    dechunk_late();
    hooks();
    lending();
    fails();
}
