#ifndef SIXTEEN_H
#define SIXTEEN_H

#include "decimal.h"

/// Sixteen bytes at a time with the instructions of SSE 4.1, which every x86-64 since 2008 has; asked for at run time.
#if defined(__x86_64__)
#define HAS_SIXTEEN 1
#include <immintrin.h>

#define SIXTEEN __attribute__((target("sse4.1,ssse3")))

static inline bool has_sixteen(void) { return __builtin_cpu_supports("sse4.1"); }

/// 0 to 15, which leaves every byte where it is.
extern const int8_t sixteen_places[16];
/// What closes the gap of a point, n digits before the end: the load begins at n; nothing for 16.
extern const int8_t sixteen_gap[32];
/// The last n of sixteen bytes: the load begins at n.
extern const int8_t sixteen_last[32];
/// 10^-n for n digits after the point, or 16 for no point.
extern const double sixteen_powers[17];

SIXTEEN static inline __m128i sixteen_load(const void *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

/// The number that makes up the `length` bytes before `end`, 1 to 15 without its sign. False where it is none, has no digit
/// behind its point or takes more than one product. Sixteen bytes before `end` are there.
SIXTEEN static inline bool sixteen_decimal(const uint8_t *end, size_t length, bool is_negative, float *value) {
  __m128i text = sixteen_load(end - 16);
  // What stands before the number counts as zeros.
  __m128i is_own = sixteen_load(sixteen_last + length);
  __m128i is_point = _mm_and_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('.')), is_own);
  // Digits after the point; 16 where there is none.
  size_t fraction = 15 ^ (size_t)__builtin_ctz((unsigned)_mm_movemask_epi8(is_point) | 1u << 31);
  __m128i values = _mm_and_si128(_mm_sub_epi8(text, _mm_set1_epi8('0')), is_own);
  // The digits before the point move over it.
  __m128i places = _mm_add_epi8(sixteen_load(sixteen_places), sixteen_load(sixteen_gap + fraction));
  values = _mm_shuffle_epi8(values, places);
  int are_digits = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values));
  __m128i pairs = _mm_maddubs_epi16(values, _mm_set1_epi16(1 << 8 | 10));
  __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
  __m128i eights = _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
  uint64_t halves = (uint64_t)_mm_cvtsi128_si64(eights);
  // Below 10^15, which a double holds exactly.
  double digits = (double)(int64_t)((halves & 0xFFFFFFFF) * 100000000 + (halves >> 32));
  return (are_digits == 0xFFFF) & (fraction > 0) & decimal_round(digits * sixteen_powers[fraction], is_negative, value);
}

#endif
#endif
