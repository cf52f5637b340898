#include "simd.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_AVX2 1
#include <immintrin.h>
#endif

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
        v = eve_simd_unclean(v);
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

#ifdef HAVE_AVX2
/* Control characters and, since the comparison is signed, all bytes from 0x80 on are below a space.
 */
__attribute__((target("avx2"))) static size_t clean_avx2(const char *p, size_t n)
{
    const __m256i space = _mm256_set1_epi8(0x20);
    const __m256i quote = _mm256_set1_epi8('"');
    const __m256i backslash = _mm256_set1_epi8('\\');
    size_t i = 0;
    while (n - i >= 32) {
        __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)(p + i));
        __m256i bad = _mm256_or_si256(
            _mm256_cmpgt_epi8(space, v),
            _mm256_or_si256(_mm256_cmpeq_epi8(v, quote), _mm256_cmpeq_epi8(v, backslash)));
        unsigned mask = (unsigned)_mm256_movemask_epi8(bad);
        if (mask != 0) {
            return i + (size_t)__builtin_ctz(mask);
        }
        i += 32;
    }
    return i + clean_portable(p + i, n - i);
}
#endif

static size_t (*clean)(const char *p, size_t n) = clean_portable;

enum eve_simd_kind eve_simd_choose(enum eve_simd_kind most)
{
    clean = clean_portable;
#ifdef HAVE_AVX2
    if (most >= EVE_SIMD_AVX2 && __builtin_cpu_supports("avx2")) {
        clean = clean_avx2;
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
