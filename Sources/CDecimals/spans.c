#include "spans.h"

#if HAS_LANES

/// Ones for the last n of sixteen bytes: the load begins at n.
static const int8_t last[32] = {0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,
                                -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
/// Ones for the first n of 32 bytes: the load begins at 32 - n.
static const int8_t first[64] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                 -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

LANES static inline __m128i load(const void *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

/// Sixteen digits as two numbers of eight, the first in the lowest four bytes.
LANES static inline __m128i eights(__m128i digits) {
  __m128i pairs = _mm_maddubs_epi16(digits, _mm_set1_epi16(1 << 8 | 10));
  __m128i fours = _mm_madd_epi16(pairs, _mm_set1_epi32(1 << 16 | 100));
  return _mm_madd_epi16(_mm_packus_epi32(fours, fours), _mm_set1_epi32(1 << 16 | 10000));
}

/// Sixteen digits as a number.
LANES static inline uint64_t sixteen(__m128i digits) {
  uint64_t halves = (uint64_t)_mm_cvtsi128_si64(eights(digits));
  return (halves & 0xFFFFFFFF) * 100000000 + (halves >> 32);
}

/// The nearest doubles to 10^-n for n = 0, 7, 6 … 1, and their lower and upper halves.
static const union {
  double numbers[8];
  int32_t halves[16];
} tenths = {{1e0, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1}};

/// Four numbers of at most eight bytes without their signs, all of which are read, or none.
///
/// A product is off by 2^-52 of itself at most, and yet is rounded right. A number of n digits behind its point is m / 10^n
/// with m < 10^8 and n < 8, the middle between two floats k 2^e with k < 2^25. Where these differ, they do by 1 / (5^n k) of
/// it or more, which is above 2^-42, or, where 2^e is a multiple of 2^-n, by 1 / m. Where they are the same, n is 0, as seven
/// digits are fewer than the middle has bits, and the product exact.
LANES static inline bool four(const uint8_t *const *starts, const uint8_t *const *stops, spans_kind kind, float *values) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i ones = _mm256_set1_epi8(-1);
  __m128i bytes = _mm_cvtsi32_si128(*starts[0]);
  bytes = _mm_insert_epi8(bytes, *starts[1], 1);
  bytes = _mm_insert_epi8(bytes, *starts[2], 2);
  bytes = _mm_insert_epi8(bytes, *starts[3], 3);
  __m256i is_negative = _mm256_cvtepi8_epi64(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('-')));
  __m256i lengths = _mm256_add_epi64(
      _mm256_sub_epi64(_mm256_loadu_si256((const __m256i *)stops), _mm256_loadu_si256((const __m256i *)starts)), is_negative);
  // The bytes before a number's end, of which the last are its own: none where it is empty or longer than eight.
  __m128i low = _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd((const double *)(stops[0] - 8)), (const double *)(stops[1] - 8)));
  __m128i high = _mm_castpd_si128(_mm_loadh_pd(_mm_load_sd((const double *)(stops[2] - 8)), (const double *)(stops[3] - 8)));
  __m256i text = _mm256_set_m128i(high, low);
  __m256i is_own = _mm256_sllv_epi64(ones, _mm256_sub_epi64(_mm256_set1_epi64x(64), _mm256_slli_epi64(lengths, 3)));
  __m256i is_point = _mm256_and_si256(_mm256_cmpeq_epi8(text, _mm256_set1_epi8('.')), is_own);
  // The lowest bit of the point, and of the byte after it.
  __m256i point = _mm256_and_si256(is_point, _mm256_sub_epi64(zero, is_point));
  __m256i next = _mm256_slli_epi64(point, 8);
  // All bytes after the point, or all where there is none.
  __m256i is_after = _mm256_or_si256(_mm256_sub_epi64(zero, next), _mm256_cmpeq_epi64(is_point, zero));
  __m256i digits = _mm256_and_si256(_mm256_sub_epi8(text, _mm256_set1_epi8('0')), is_own);
  // The digits before the point move over it.
  digits = _mm256_andnot_si256(_mm256_sub_epi64(next, point), digits);
  digits = _mm256_or_si256(
      _mm256_and_si256(digits, is_after), _mm256_slli_epi64(_mm256_andnot_si256(is_after, digits), 8));
  __m256i is_right = _mm256_cmpeq_epi8(_mm256_min_epu8(digits, _mm256_set1_epi8(9)), digits);
  // Without a digit at its end, or at all.
  __m256i is_wrong = _mm256_cmpeq_epi64(_mm256_and_si256(is_own, is_after), zero);
  if (kind == SPANS_JSON) {
    __m256i is_first = _mm256_andnot_si256(_mm256_slli_epi64(is_own, 8), is_own);
    __m256i is_zero = _mm256_and_si256(_mm256_cmpeq_epi8(text, _mm256_set1_epi8('0')), is_first);
    // A zero before others, or a point before all.
    __m256i is_open = _mm256_or_si256(
        _mm256_andnot_si256(is_point, _mm256_slli_epi64(is_zero, 8)), _mm256_and_si256(is_point, is_first));
    is_wrong = _mm256_or_si256(is_wrong, is_open);
  }
  if (!_mm256_testc_si256(_mm256_andnot_si256(is_wrong, is_right), ones)) return false;
  __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(1 << 8 | 10));
  __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(1 << 16 | 100));
  __m256i numbers =
      _mm256_add_epi64(_mm256_mul_epu32(fours, _mm256_set1_epi64x(10000)), _mm256_srli_epi64(fours, 32));
  const __m256d exponent = _mm256_set1_pd(0x1p52);
  __m256d wholes = _mm256_sub_pd(_mm256_castsi256_pd(_mm256_or_si256(numbers, _mm256_castpd_si256(exponent))), exponent);
  // 255 times the digits after the point: eight less them in the lowest three bits.
  __m256i places = _mm256_shuffle_epi32(_mm256_sad_epu8(is_after, zero), 0xA0);
  const int32_t *h = tenths.halves;
  __m256i lower = _mm256_setr_epi32(h[0], h[2], h[4], h[6], h[8], h[10], h[12], h[14]);
  __m256i upper = _mm256_setr_epi32(h[1], h[3], h[5], h[7], h[9], h[11], h[13], h[15]);
  __m256i factors = _mm256_blend_epi32(
      _mm256_permutevar8x32_epi32(lower, places), _mm256_permutevar8x32_epi32(upper, places), 0xAA);
  __m256d products = _mm256_mul_pd(wholes, _mm256_castsi256_pd(factors));
  __m256d negated = _mm256_xor_pd(products, _mm256_castsi256_pd(_mm256_slli_epi64(is_negative, 63)));
  _mm_storeu_ps(values, _mm256_cvtpd_ps(negated));
  return true;
}

/// A number of up to 31 bytes with its point among the first 17, as double precision is written.
LANES static inline bool take_long(const uint8_t *start, size_t length, bool is_negative, float *value) {
  if (length - 1 > 30) return false;
  static const double powers[17] = {1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8,
                                    1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,  1e0};
  __m256i text = _mm256_loadu_si256((const __m256i *)start);
  __m256i is_own = _mm256_loadu_si256((const __m256i *)(first + 32 - length));
  __m256i is_point = _mm256_and_si256(_mm256_cmpeq_epi8(text, _mm256_set1_epi8('.')), is_own);
  // Digits before the point; all where there is none.
  size_t whole = (size_t)__builtin_ctz((uint32_t)_mm256_movemask_epi8(is_point) | 1u << length);
  // What is behind a number counts as zeros, as if it had so many more digits.
  __m256i digits = _mm256_and_si256(_mm256_sub_epi8(text, _mm256_set1_epi8('0')), is_own);
  __m256i is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(digits, _mm256_set1_epi8(9)), digits);
  uint32_t are_digits = (uint32_t)_mm256_movemask_epi8(is_digit);
  if ((are_digits | 1u << whole) != 0xFFFFFFFF || whole > 16 || whole + 1 == length) return false;
  // The first sixteen digits.
  __m128i low = _mm256_castsi256_si128(digits);
  __m128i moved = _mm_alignr_epi8(_mm256_extracti128_si256(digits, 1), low, 1);
  uint64_t number = sixteen(_mm_blendv_epi8(moved, low, load(first + 32 - whole)));
  double product = (double)(int64_t)number * powers[whole];
  if (length - (whole < length) <= 16) return decimal_round(product, is_negative, 4, value);
  // The digits that are left out are less than one of the last: 10^-11 of it all, which is less than 2^17 units.
  return number >= 100000000000 && decimal_round(product, is_negative, 1 << 17, value);
}

/// A number of 1 to 15 bytes.
LANES static inline bool take_short(const uint8_t *stop, size_t length, bool is_negative, float *value) {
  static const double powers[17] = {1e0,  1e-1, 1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7, 1e-8,
                                    1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e0};
  static const int8_t gap[32] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  static const int8_t places[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  __m128i text = load(stop - 16);
  __m128i is_own = load(last + length);
  __m128i is_point = _mm_and_si128(_mm_cmpeq_epi8(text, _mm_set1_epi8('.')), is_own);
  size_t fraction = 15 ^ (size_t)__builtin_ctz((unsigned)_mm_movemask_epi8(is_point) | 1u << 31);
  __m128i digits = _mm_and_si128(_mm_sub_epi8(text, _mm_set1_epi8('0')), is_own);
  digits = _mm_shuffle_epi8(digits, _mm_add_epi8(load(places), load(gap + fraction)));
  int are_digits = _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(digits, _mm_set1_epi8(9)), digits));
  double number = (double)(int64_t)sixteen(digits);
  return (are_digits == 0xFFFF) & (fraction > 0) & decimal_round(number * powers[fraction], is_negative, 4, value);
}

/// A number by itself.
LANES static bool one(const uint8_t *start, const uint8_t *stop, spans_kind kind, float *value) {
  bool is_negative = *start == '-';
  const uint8_t *digits = start + is_negative;
  size_t length = (size_t)(stop - digits);
  if (kind == SPANS_JSON) {
    // A digit comes first, and no zero before others.
    if ((uint8_t)(*digits - '0') > 9 || (*digits == '0' && length > 1 && (uint8_t)(digits[1] - '0') <= 9)) return false;
  } else if (start == stop) {
    *value = __builtin_nanf("");
    return true;
  }
  bool is_usual = length - 1 < 15 ? take_short(stop, length, is_negative, value)
                                  : take_long(digits, length, is_negative, value);
  if (is_usual) return true;
  if (kind == SPANS_JSON) {
    // A digit stands behind the point.
    const uint8_t *point = digits;
    while (point < stop && *point != '.') point++;
    if (point < stop && (uint8_t)(point[1] - '0') > 9) return false;
  }
  return decimal_long(digits, stop, is_negative, value);
}

/// Reads numbers, four at a time where that is possible.
LANES static inline size_t take(const spans *spans, size_t count, spans_kind kind, float *values) {
  size_t i = 0;
  while (i < count) {
    // The last four may have been read in part.
    size_t place = count - i < 4 && count >= 4 ? count - 4 : i;
    size_t next = i + 4 < count ? i + 4 : count;
    // Where the first is long, others are.
    bool are_long = count < 4 || spans->stops[place] - spans->starts[place] > 9;
    if (are_long || !four(spans->starts + place, spans->stops + place, kind, values + place)) {
      for (; i < next; i++) {
        if (!one(spans->starts[i], spans->stops[i], kind, &values[i])) return i;
      }
    }
    i = next;
  }
  return count;
}

LANES size_t spans_read(const spans *spans, size_t count, spans_kind kind, float *values) {
  return kind == SPANS_JSON ? take(spans, count, SPANS_JSON, values) : take(spans, count, SPANS_TABLE, values);
}

#endif
