#include "simd.h"

#include "utf8.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_AVX2 1
#include <immintrin.h>
#endif

#include <string.h>

#define ONES UINT64_C(0x0101010101010101)

/* High bit set in the lowest byte of `v` that is not clean; higher bytes may be marked wrongly,
 * since a borrow runs upwards. Zero if all are clean. */
static uint64_t unclean(uint64_t v)
{
    uint64_t control = v - ONES * 0x20;
    uint64_t quote = (v ^ ONES * '"') - ONES;
    uint64_t backslash = (v ^ ONES * '\\') - ONES;
    return (control | quote | backslash | v) & ONES * 0x80;
}

/* High bit set in just the bytes of `v` that are not clean: sums of seven bits carry nowhere. */
static uint64_t unclean_each(uint64_t v)
{
    uint64_t low = v & ONES * 0x7F;
    uint64_t text = low + ONES * 0x60;
    uint64_t no_quote = (low ^ ONES * '"') + ONES * 0x7F;
    uint64_t no_backslash = (low ^ ONES * '\\') + ONES * 0x7F;
    return (~(text & no_quote & no_backslash) | v) & ONES * 0x80;
}

static bool is_clean(unsigned char c)
{
    return c >= 0x20 && c < 0x80 && c != '"' && c != '\\';
}

static size_t clean_portable(const char *p, size_t n)
{
    size_t i = 0;
    while (n - i >= 8) {
        uint64_t v;
        memcpy(&v, p + i, 8);
        v = unclean(v);
        if (v != 0) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
            return i + (size_t)__builtin_ctzll(v) / 8;
#else
            break;
#endif
        }
        i += 8;
    }
    while (i < n && is_clean((unsigned char)p[i])) {
        i++;
    }
    return i;
}

/* From the place EVE_SIMD_BLOCK - n on, a mask of n bytes. */
static const unsigned char first_bytes[2 * EVE_SIMD_BLOCK] = {
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/* The letter of an escape of two bytes. */
static inline bool is_short_escape(char c)
{
    return c == 'n' || c == '"' || c == '\\' || c == 't' || c == '/' || c == 'r' || c == 'b' ||
           c == 'f';
}

static inline uint32_t special_portable(const char *p)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < EVE_SIMD_BLOCK; i += 8) {
        uint64_t v;
        memcpy(&v, p + i, 8);
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
        v = __builtin_bswap64(v);
#endif
        /* The marks, one in each byte, gathered in the highest byte. */
        bits |= (uint32_t)((unclean_each(v) >> 7) * UINT64_C(0x0102040810204080) >> 56) << i;
    }
    return bits;
}

static inline bool like_portable(const char *p, const struct eve_simd_piece *piece)
{
    uint64_t wrong = 0;
    const struct eve_simd_pattern *pattern = piece->pattern;
    const char *at = p;
    for (size_t k = piece->blocks; k > 0; k--, pattern++, at += EVE_SIMD_BLOCK) {
        for (size_t i = 0; i < EVE_SIMD_BLOCK; i += 8) {
            uint64_t v;
            uint64_t byte;
            uint64_t same;
            memcpy(&v, at + i, 8);
            memcpy(&byte, pattern->byte + i, 8);
            memcpy(&same, pattern->same + i, 8);
            wrong |= (v ^ byte) & same;
        }
        if (wrong != 0) {
            return false;
        }
    }
    for (size_t k = 0; k < piece->ranges; k++) {
        for (size_t i = 0; i < piece->range[k].n; i += 8) {
            uint64_t v;
            uint64_t in;
            memcpy(&v, p + piece->range[k].at + i, 8);
            memcpy(&in, first_bytes + EVE_SIMD_BLOCK - piece->range[k].n + i, 8);
            wrong |= unclean_each(v) & in;
        }
    }
    return wrong == 0;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Where what begins at `p` with a byte that is not clean ends, an escape or characters beyond
 * ASCII; NULL if it is neither. */
static const char *pass_odd(const char *p, const char *end, bool *escaped)
{
    if ((unsigned char)*p >= 0x80) {
        return eve_utf8_pass(p, end);
    }
    if (*p != '\\' || end - p < 2) {
        return NULL;
    }
    *escaped = true;
    if (is_short_escape(p[1])) {
        return p + 2;
    }
    bool good =
        end - p >= 6 && p[1] == 'u' && is_hex(p[2]) && is_hex(p[3]) && is_hex(p[4]) && is_hex(p[5]);
    return good ? p + 6 : NULL;
}

/* The rest of a string, byte by byte where it is not clean. */
static const char *end_of_rest(const char *p, const char *end, bool *escaped)
{
    while (p != NULL) {
        p += eve_simd_clean(p, (size_t)(end - p));
        if (p == end || *p == '"') {
            return p == end ? NULL : p;
        }
        p = pass_odd(p, end, escaped);
    }
    return NULL;
}

/* Block by block; what is not clean in a block is gone through bit by bit. */
__attribute__((always_inline)) static inline const char *
string_end(const char *p, const char *end, bool *escaped, uint32_t (*special_of)(const char *p))
{
    while (end - p >= EVE_SIMD_BLOCK) {
        uint32_t bits = special_of(p);
        const char *next = p + EVE_SIMD_BLOCK;
        while (bits != 0) {
            const char *odd = p + __builtin_ctz(bits);
            if (*odd == '"') {
                return odd;
            }
            odd = pass_odd(odd, end, escaped);
            if (odd == NULL) {
                return NULL;
            }
            if (odd >= next) {
                next = odd;
                break;
            }
            bits = bits >> (odd - p) << (odd - p);
        }
        p = next;
    }
    return end_of_rest(p, end, escaped);
}

static const char *string_end_portable(const char *p, const char *end, bool *escaped)
{
    return string_end(p, end, escaped, special_portable);
}

__attribute__((always_inline)) static inline const char *
find_line(const char *p, const char *end, const struct eve_simd_piece *head,
          const struct eve_simd_piece *tail, bool *escaped,
          const char *(*end_of)(const char *p, const char *end, bool *escaped),
          bool (*is_like)(const char *p, const struct eve_simd_piece *piece))
{
    if ((size_t)(end - p) <= head->n || !is_like(p, head)) {
        return NULL;
    }
    const char *quote = end_of(p + head->n, end, escaped);
    return quote != NULL && end - quote >= (ptrdiff_t)tail->n && is_like(quote, tail) ? quote
                                                                                      : NULL;
}

__attribute__((always_inline)) static inline const char *
pass_lines(const char *p, const char *end, const struct eve_simd_piece *head,
           const struct eve_simd_piece *tail, uint64_t *count, uint64_t *longest,
           const char *(*end_of)(const char *p, const char *end, bool *escaped),
           bool (*is_like)(const char *p, const struct eve_simd_piece *piece))
{
    size_t most = 0;
    uint64_t passed = 0;
    bool escaped = false;
    const char *quote = NULL;
    while ((quote = find_line(p, end, head, tail, &escaped, end_of, is_like)) != NULL) {
        size_t n = (size_t)(quote + tail->n - p);
        most = n > most ? n : most;
        p += n;
        passed++;
    }
    *count += passed;
    *longest = most > *longest ? most : *longest;
    return p;
}

static const char *line_portable(const char *p, const char *end, const struct eve_simd_piece *head,
                                 const struct eve_simd_piece *tail, bool *escaped)
{
    return find_line(p, end, head, tail, escaped, string_end_portable, like_portable);
}

static const char *lines_portable(const char *p, const char *end, const struct eve_simd_piece *head,
                                  const struct eve_simd_piece *tail, uint64_t *count,
                                  uint64_t *longest)
{
    return pass_lines(p, end, head, tail, count, longest, string_end_portable, like_portable);
}

#ifdef HAVE_AVX2
/* Control characters and, since the comparison is signed, all bytes from 0x80 on are below a space.
 */
__attribute__((target("avx2"))) static inline __m256i unclean_avx2(__m256i v)
{
    return _mm256_or_si256(_mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), v),
                           _mm256_or_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('"')),
                                           _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'))));
}

__attribute__((target("avx2"))) static inline __m256i load_avx2(const void *p)
{
    return _mm256_loadu_si256(p);
}

__attribute__((target("avx2"))) static size_t clean_avx2(const char *p, size_t n)
{
    size_t i = 0;
    while (n - i >= 32) {
        unsigned mask = (unsigned)_mm256_movemask_epi8(unclean_avx2(load_avx2(p + i)));
        if (mask != 0) {
            return i + (size_t)__builtin_ctz(mask);
        }
        i += 32;
    }
    return i + clean_portable(p + i, n - i);
}

__attribute__((target("avx2"))) static inline uint32_t special_avx2(const char *p)
{
    return (uint32_t)_mm256_movemask_epi8(unclean_avx2(load_avx2(p)));
}

/* Bit by byte: the letters of escapes of two bytes, "/\\bfnrt, by their two halves. */
__attribute__((target("avx2"))) static inline uint32_t letters_avx2(__m256i v)
{
    const __m256i low = _mm256_setr_epi8(0, 0, 13, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1, 0, 0, 13,
                                         0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1);
    const __m256i high = _mm256_setr_epi8(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1,
                                          0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0);
    const __m256i half = _mm256_set1_epi8(0x0F);
    __m256i by_low = _mm256_shuffle_epi8(low, _mm256_and_si256(v, half));
    __m256i by_high = _mm256_shuffle_epi8(high, _mm256_and_si256(_mm256_srli_epi16(v, 4), half));
    __m256i none = _mm256_cmpeq_epi8(_mm256_and_si256(by_low, by_high), _mm256_setzero_si256());
    return ~(uint32_t)_mm256_movemask_epi8(none);
}

__attribute__((target("avx2"), noinline)) static const char *
odd_end_avx2(const char *p, const char *end, bool *escaped)
{
    return string_end(p, end, escaped, special_avx2);
}

/* Blocks in which all up to the quote is clean or an escape of two bytes take no branch that
 * depends on the text, since no predictor would know it. */
__attribute__((target("avx2"))) static inline const char *
string_end_avx2(const char *p, const char *end, bool *escaped)
{
    while (end - p >= EVE_SIMD_BLOCK) {
        __m256i v = load_avx2(p);
        __m256i is_quote = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('"'));
        __m256i is_escape = _mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\'));
        __m256i is_other = _mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), v);
        uint32_t escape = (uint32_t)_mm256_movemask_epi8(is_escape);
        uint32_t letter = escape << 1; /* right as long as no backslash follows another */
        uint32_t quote = (uint32_t)_mm256_movemask_epi8(is_quote) & ~letter;
        uint32_t before = quote ^ (quote - 1); /* up to and with the first, or all */
        uint32_t bad = (uint32_t)_mm256_movemask_epi8(is_other) | (escape & letter) |
                       (letter & ~letters_avx2(v));
        if ((bad & before) != 0) {
            break;
        }
        *escaped |= (escape & before) != 0;
        if (quote != 0) {
            return p + __builtin_ctz(quote);
        }
        p += EVE_SIMD_BLOCK - (escape >> 31); /* the letter of the last one is still to come */
    }
    return odd_end_avx2(p, end, escaped);
}

__attribute__((target("avx2"))) static inline bool like_avx2(const char *p,
                                                             const struct eve_simd_piece *piece)
{
    __m256i wrong = _mm256_setzero_si256();
    const struct eve_simd_pattern *pattern = piece->pattern;
    for (size_t i = 0; i < piece->blocks; i++, pattern++) {
        __m256i differs =
            _mm256_xor_si256(load_avx2(p + i * EVE_SIMD_BLOCK), load_avx2(pattern->byte));
        wrong = _mm256_or_si256(wrong, _mm256_and_si256(differs, load_avx2(pattern->same)));
    }
    for (size_t i = 0; i < piece->ranges; i++) {
        __m256i in = load_avx2(first_bytes + EVE_SIMD_BLOCK - piece->range[i].n);
        __m256i bad = unclean_avx2(load_avx2(p + piece->range[i].at));
        wrong = _mm256_or_si256(wrong, _mm256_and_si256(bad, in));
    }
    return _mm256_testz_si256(wrong, wrong) != 0;
}

__attribute__((target("avx2"))) static const char *line_avx2(const char *p, const char *end,
                                                             const struct eve_simd_piece *head,
                                                             const struct eve_simd_piece *tail,
                                                             bool *escaped)
{
    return find_line(p, end, head, tail, escaped, string_end_avx2, like_avx2);
}

__attribute__((target("avx2"))) static const char *lines_avx2(const char *p, const char *end,
                                                              const struct eve_simd_piece *head,
                                                              const struct eve_simd_piece *tail,
                                                              uint64_t *count, uint64_t *longest)
{
    return pass_lines(p, end, head, tail, count, longest, string_end_avx2, like_avx2);
}
#endif

static size_t (*clean)(const char *p, size_t n) = clean_portable;
static const char *(*end_of_string)(const char *p, const char *end,
                                    bool *escaped) = string_end_portable;
static bool (*like)(const char *p, const struct eve_simd_piece *piece) = like_portable;
static const char *(*line)(const char *p, const char *end, const struct eve_simd_piece *head,
                           const struct eve_simd_piece *tail, bool *escaped) = line_portable;
static const char *(*lines)(const char *p, const char *end, const struct eve_simd_piece *head,
                            const struct eve_simd_piece *tail, uint64_t *count,
                            uint64_t *longest) = lines_portable;

enum eve_simd_kind eve_simd_choose(enum eve_simd_kind most)
{
    clean = clean_portable;
    end_of_string = string_end_portable;
    like = like_portable;
    line = line_portable;
    lines = lines_portable;
#ifdef HAVE_AVX2
    if (most >= EVE_SIMD_AVX2 && __builtin_cpu_supports("avx2")) {
        clean = clean_avx2;
        end_of_string = string_end_avx2;
        like = like_avx2;
        line = line_avx2;
        lines = lines_avx2;
        return EVE_SIMD_AVX2;
    }
#endif
    (void)most;
    return EVE_SIMD_PORTABLE;
}

size_t eve_simd_clean(const char *p, size_t n)
{
    return clean(p, n);
}

const char *eve_simd_string_end(const char *p, const char *end, bool *escaped)
{
    return end_of_string(p, end, escaped);
}

bool eve_simd_like(const char *p, const struct eve_simd_piece *piece)
{
    return like(p, piece);
}

const char *eve_simd_line(const char *p, const char *end, const struct eve_simd_piece *head,
                          const struct eve_simd_piece *tail, bool *escaped)
{
    return line(p, end, head, tail, escaped);
}

const char *eve_simd_lines(const char *p, const char *end, const struct eve_simd_piece *head,
                           const struct eve_simd_piece *tail, uint64_t *count, uint64_t *longest)
{
    return lines(p, end, head, tail, count, longest);
}
