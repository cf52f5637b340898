/* The job of evenorm on simdjson's on-demand parser, for comparison: simdjson FILE >OUT. What is
 * not looked at is not validated by it, and halves of a pair are taken as they come; that is not
 * what is measured here. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <simdjson.h>

using namespace simdjson;

/* One event: its bytes without the text so far, which must end with the delta. */
static void line(ondemand::document_reference doc, std::string_view all)
{
    std::string_view delta;
    const char *from = nullptr;
    const char *to = nullptr;
    ondemand::object data = doc["data"].get_object();
    for (auto field : data) {
        const char *name = field.key().value().raw();
        ondemand::value value = field.value();
        ondemand::raw_json_string key(reinterpret_cast<const uint8_t *>(name));
        bool sum = key.unsafe_is_equal("messageSoFar") || key.unsafe_is_equal("reasoningSoFar");
        if (sum || key.unsafe_is_equal("messageDelta") || key.unsafe_is_equal("reasoningDelta")) {
            std::string_view token = value.raw_json_token(); /* it decodes no half of a pair */
            std::string_view text = token.substr(1, token.size() - 2);
            if (!sum) {
                delta = text;
            } else if (text.size() < delta.size() ||
                       (delta.substr(0, 2) != "\\u" &&
                        text.substr(text.size() - delta.size()) != delta)) {
                exit(1);
            } else {
                from = name - 1;
                to = token.data() + token.size() + 1;
            }
        }
    }
    if (from != nullptr) {
        fwrite(all.data(), 1, size_t(from - all.data()), stdout);
        all.remove_prefix(size_t(to - all.data()));
    }
    fwrite(all.data(), 1, all.size(), stdout);
    putchar('\n');
}

/* Lines in blocks that stay in the cache, which is faster than the whole file at once. */
int main(int argc, char **argv)
{
    static char room[1 << 20];
    static char block[(1 << 19) + SIMDJSON_PADDING];
    const size_t most = sizeof block - SIMDJSON_PADDING;
    size_t n = 0;
    ondemand::parser parser;
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : nullptr;
    setvbuf(stdout, room, _IOFBF, sizeof room);
    if (in == nullptr) {
        return 1;
    }
    for (size_t got; (got = fread(block + n, 1, most - n, in)) > 0;) {
        n += got;
        const void *last = memrchr(block, '\n', n);
        if (last == nullptr) {
            return 1;
        }
        size_t whole = size_t(static_cast<const char *>(last) - block) + 1;
        ondemand::document_stream events;
        if (parser.iterate_many(block, whole, most).get(events) != SUCCESS) {
            return 1;
        }
        for (auto it = events.begin(); it != events.end(); ++it) {
            line(*it, it.source());
        }
        n -= whole;
        memmove(block, block + whole, n);
    }
    return ferror(stdout) != 0 || ferror(in) != 0;
}
