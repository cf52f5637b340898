#include "simd.h"

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

static uint32_t special_portable(const char *p)
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

static bool like_portable(const char *p, const struct eve_simd_pattern *pattern, size_t count)
{
    uint64_t wrong = 0;
    for (; count > 0; count--, pattern++, p += EVE_SIMD_BLOCK) {
        for (size_t i = 0; i < EVE_SIMD_BLOCK; i += 8) {
            uint64_t v;
            uint64_t byte;
            uint64_t same;
            uint64_t clean;
            memcpy(&v, p + i, 8);
            memcpy(&byte, pattern->byte + i, 8);
            memcpy(&same, pattern->same + i, 8);
            wrong |= (v ^ byte) & same;
            if (pattern->any_clean) {
                memcpy(&clean, pattern->clean + i, 8);
                wrong |= unclean_each(v) & clean;
            }
        }
        if (wrong != 0) {
            return false;
        }
    }
    return true;
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

__attribute__((target("avx2"))) static uint32_t special_avx2(const char *p)
{
    return (uint32_t)_mm256_movemask_epi8(unclean_avx2(load_avx2(p)));
}

__attribute__((target("avx2"))) static bool
like_avx2(const char *p, const struct eve_simd_pattern *pattern, size_t count)
{
    for (; count > 0; count--, pattern++, p += EVE_SIMD_BLOCK) {
        __m256i v = load_avx2(p);
        __m256i wrong = _mm256_and_si256(_mm256_xor_si256(v, load_avx2(pattern->byte)),
                                         load_avx2(pattern->same));
        if (pattern->any_clean) {
            wrong = _mm256_or_si256(wrong,
                                    _mm256_and_si256(unclean_avx2(v), load_avx2(pattern->clean)));
        }
        if (!_mm256_testz_si256(wrong, wrong)) {
            return false;
        }
    }
    return true;
}
#endif

static size_t (*clean)(const char *p, size_t n) = clean_portable;
static uint32_t (*special)(const char *p) = special_portable;
static bool (*like)(const char *p, const struct eve_simd_pattern *pattern,
                    size_t count) = like_portable;

enum eve_simd_kind eve_simd_choose(enum eve_simd_kind most)
{
    clean = clean_portable;
    special = special_portable;
    like = like_portable;
#ifdef HAVE_AVX2
    if (most >= EVE_SIMD_AVX2 && __builtin_cpu_supports("avx2")) {
        clean = clean_avx2;
        special = special_avx2;
        like = like_avx2;
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

uint32_t eve_simd_special(const char *p)
{
    return special(p);
}

bool eve_simd_like(const char *p, const struct eve_simd_pattern *pattern, size_t count)
{
    return like(p, pattern, count);
}
