/*
 * blocks: the texts of event streams, from standard input, with libevestream.
 *
 * Prints the text of each message so far whenever it grows with -v, and a JSON record of each block
 * when it ends; what is not delta-only yet is counted. Build it with
 *
 *     cc blocks.c $(pkg-config --cflags --libs --static libevestream) -o blocks
 */
#include <evestream.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void print(struct eve_stream_bytes line)
{
    fwrite(line.p, 1, line.n, stdout);
    putchar('\n');
}

static void complain(const struct eve_stream *s)
{
    const struct eve_stream_error *e = eve_stream_error(s);
    fprintf(stderr, "line %" PRIu64 ":%" PRIu64 ": %s [%s]\n", e->line, e->column,
            e->system != 0 ? strerror(e->system) : e->message, e->rule != NULL ? e->rule : "input");
}

int main(int argc, char **argv)
{
    int verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    struct eve_stream_options options = {.blocks = true};
    struct eve_stream *s = eve_stream_new(&options);
    struct eve_stream_event event;
    struct eve_stream_bytes record;
    enum eve_stream_status status;
    unsigned long legacy = 0, turns = 0, bad = 0;

    if (s == NULL) {
        return 2;
    }
    eve_stream_open(s, 0);
    do {
        status = eve_stream_next(s, &event);
        if (status == EVE_STREAM_OK) {
            legacy += event.legacy;
            turns += eve_stream_says(event.type, "turn.started");
            if (verbose && event.append != NULL) {
                print(event.text);
            }
        } else if (status != EVE_STREAM_END) {
            complain(s);
            bad++;
        }
        while (eve_stream_block(s, &record)) {
            print(record);
        }
    } while (status == EVE_STREAM_OK || status == EVE_STREAM_BAD);
    fprintf(stderr, "%lu turns, %lu appends of old streams, %lu bad lines\n", turns, legacy, bad);
    eve_stream_free(s);
    return status == EVE_STREAM_FAIL ? 2 : bad > 0;
}
