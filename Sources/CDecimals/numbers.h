#ifndef NUMBERS_H
#define NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Numbers whose places in a text are known, as the nearest floats: many bytes at a time with clang's vectors, of which the
/// compiler makes the instructions that a processor has, NEON on AArch64 and SSE2 or AVX2 on x86-64.
///
/// What has to do with vectors is inlined into functions that are compiled for one width of them (see `decimals.c`), and
/// passed by address, as calling conventions differ with the width.
#define INLINE static inline __attribute__((always_inline))

// Four addresses make a vector, and the first byte of a text is a word's lowest.
_Static_assert(sizeof(void *) == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a little-endian processor of 64 bits");

typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint8_t bytes32 __attribute__((vector_size(32)));
typedef int8_t signed32 __attribute__((vector_size(32)));
typedef uint8_t bytes64 __attribute__((vector_size(64)));
typedef int8_t signed64 __attribute__((vector_size(64)));
typedef uint64_t words4 __attribute__((vector_size(32)));
typedef double doubles4 __attribute__((vector_size(32)));
typedef float floats4 __attribute__((vector_size(16)));

/// Which of sixteen bytes are not zero, the first in the lowest bit.
INLINE uint32_t mask16(const bytes16 *lanes) {
  typedef bool bits __attribute__((ext_vector_type(16)));
  bits are_set = __builtin_convertvector(*lanes, bits);
  uint16_t mask;
  memcpy(&mask, &are_set, sizeof mask);
  return mask;
}

INLINE uint32_t mask32(const bytes32 *lanes) {
  typedef bool bits __attribute__((ext_vector_type(32)));
  bits are_set = __builtin_convertvector(*lanes, bits);
  uint32_t mask;
  memcpy(&mask, &are_set, sizeof mask);
  return mask;
}

INLINE uint64_t mask64(const bytes64 *lanes) {
  typedef bool bits __attribute__((ext_vector_type(64)));
  bits are_set = __builtin_convertvector(*lanes, bits);
  uint64_t mask;
  memcpy(&mask, &are_set, sizeof mask);
  return mask;
}

/// Whether there is any bit.
INLINE bool is_any(const words4 *words) { return ((*words)[0] | (*words)[1] | (*words)[2] | (*words)[3]) != 0; }

// MARK: - Rounding

/// Digits times a power of ten, as the nearest float. Only next to the middle between two floats can rounding twice differ
/// from rounding once: then it is false.
///
/// - product: between 10^-22 and the greatest float, or 0.
/// - units: more than the product is off by, in units in the last place of a double. A product of all digits is off by less
///   than three: one for digits beyond 53 bits, one for a power that is no binary fraction, one for the product.
INLINE bool round_once(double product, bool is_negative, int64_t units, float *value) {
  uint64_t bits;
  memcpy(&bits, &product, sizeof bits);
  int64_t from_middle = (int64_t)(bits & 0x1FFFFFFF) - 0x10000000;
  float nearest = (float)product;
  uint32_t word;
  memcpy(&word, &nearest, sizeof word);
  word |= (uint32_t)is_negative << 31;
  memcpy(value, &word, sizeof word);
  return (uint64_t)(from_middle + units) > (uint64_t)(2 * units);
}

/// 10^n, exactly.
static const double tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// The nearest doubles to 10^-n.
static const double tenths[23] = {1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,  1e-9,  1e-10, 1e-11,
                                  1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22};

// MARK: - One byte after the other

/// Takes digits up to the first other byte; false where there are more than fit.
static bool take_digits(const uint8_t **place, const uint8_t *end, uint64_t *digits) {
  const uint8_t *p = *place;
  for (; p < end; p++) {
    uint8_t digit = (uint8_t)(*p - '0');
    if (digit > 9) break;
    if (*digits > (UINT64_MAX - 9) / 10) return false;
    *digits = *digits * 10 + digit;
  }
  *place = p;
  return true;
}

/// A number of any length and with an exponent that makes up [first, end), without its sign; false for anything else and
/// where the nearest float takes more than one product.
static bool take_any(const uint8_t *first, const uint8_t *end, bool is_negative, float *value) {
  const uint8_t *p = first;
  uint64_t digits = 0;
  if (!take_digits(&p, end, &digits)) return false;
  ptrdiff_t count = p - first;
  ptrdiff_t power = 0;
  if (p < end && *p == '.') {
    const uint8_t *point = ++p;
    if (!take_digits(&p, end, &digits)) return false;
    power = point - p;
    count -= power;
  }
  if (count == 0) return false;
  if (p < end) {
    if ((*p | 0x20) != 'e') return false;
    p++;
    bool is_below = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    uint64_t exponent = 0;
    const uint8_t *start = p;
    if (!take_digits(&p, end, &exponent) || p == start || p < end || exponent > 1000) return false;
    power += is_below ? -(ptrdiff_t)exponent : (ptrdiff_t)exponent;
  }
  if (power < -22 || power > 22) return false;
  double product = (double)digits * (power < 0 ? tenths[-power] : tens[power]);
  return product < 3.4e38 && round_once(product, is_negative, 4, value);
}

// MARK: - Many bytes at once

/// Ones for the last n of sixteen bytes: the load begins at n.
static const uint8_t last[32] = {0,    0,    0,    0,    0,    0,    0,    0,    0,    0,    0,
                                 0,    0,    0,    0,    0,    0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
/// Ones for the first n of 32 bytes: the load begins at 32 - n.
static const uint8_t first[64] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                  0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                  0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/// Eight digits a word as a number each: tens of neighbours are added up, then hundreds, then ten thousands.
INLINE void add_digits(const bytes32 *digits, words4 *numbers) {
  typedef uint16_t pairs __attribute__((vector_size(32)));
  typedef uint32_t fours __attribute__((vector_size(32)));
  fours two = (fours)(((pairs)*digits * 2561) >> 8);
  words4 four = (words4)(two * 6553601 >> 16);
  *numbers = (four & 0xFFFFFFFF) * 10000 + (four >> 32);
}

/// Sixteen digits as a number.
INLINE uint64_t sixteen(const bytes16 *digits) {
  typedef uint16_t pairs __attribute__((vector_size(16)));
  typedef uint32_t fours __attribute__((vector_size(16)));
  typedef uint64_t eights __attribute__((vector_size(16)));
  fours two = (fours)(((pairs)*digits * 2561) >> 8);
  eights four = (eights)(two * 6553601 >> 16);
  eights eight = (four & 0xFFFFFFFF) * 10000 + (four >> 32);
  return eight[0] * 100000000 + eight[1];
}

/// Numbers below 2^52 as doubles.
INLINE void convert(const words4 *numbers, doubles4 *values) {
  const doubles4 exponent = {0x1p52, 0x1p52, 0x1p52, 0x1p52};
  *values = (doubles4)(*numbers | (words4)exponent) - exponent;
}

/// Which rules numbers keep, and what an empty text is.
typedef enum {
  /// As JSON writes them.
  JSON_NUMBERS,
  /// As `strtof` reads them; NaN where there is none.
  TABLE_NUMBERS,
} number_kind;

/// Eight bytes, as a double, which compilers put into a vector in one step.
INLINE double eight(const uint8_t *bytes) {
  double eight;
  memcpy(&eight, bytes, sizeof eight);
  return eight;
}

/// Four numbers of at most eight bytes without their signs, all of which are read, or none.
///
/// A quotient is off by 2^-53 of itself at most, and yet is rounded right. A number of n digits behind its point is
/// m / 10^n with m < 10^8 and n < 8, the middle between two floats k 2^e with k < 2^25. Where these differ, they do by
/// 1 / (5^n k) of it or more, which is above 2^-42, or, where 2^e is a multiple of 2^-n, by 1 / m. Where they are the same,
/// n is 0, as seven digits are fewer than the middle has bits, and the quotient exact.
INLINE bool take_four(const uint8_t *const *befores, const uint8_t *const *stops, number_kind kind, float *values) {
  words4 begins, ends;
  memcpy(&begins, befores, sizeof begins);
  memcpy(&ends, stops, sizeof ends);
  doubles4 firsts = {eight(befores[0] + 1), eight(befores[1] + 1), eight(befores[2] + 1), eight(befores[3] + 1)};
  words4 is_negative = (words4)((bytes32)firsts == '-') & 1;
  words4 minus_length = begins - ends + is_negative + 1;
  // The eight bytes before a number's end, of which the last are its own.
  doubles4 text = {eight(stops[0] - 8), eight(stops[1] - 8), eight(stops[2] - 8), eight(stops[3] - 8)};
  words4 is_own = ~(words4){0} << (minus_length << 3 & 63);
  // As numbers: a digit is 0 to 9, all others are greater.
  words4 digits = ((words4)text ^ 0x3030303030303030) & is_own;
  words4 is_point = (words4)((bytes32)digits == ('.' ^ '0'));
  words4 has_none = (words4)(is_point == 0);
  // The lowest bit of the point, and all from it on.
  words4 point = is_point & -is_point;
  words4 is_from_point = is_point | -is_point;
  // The digits before the point move over it.
  digits = (digits & (is_from_point << 8 | has_none)) | ((digits & ~(is_from_point | has_none)) << 8);
  // Longer than eight or empty, another byte than a digit, or none behind the point.
  words4 wrong = (~minus_length & ~(words4){7, 7, 7, 7}) | (words4)((bytes32)digits > 9) | (point >> 56);
  if (kind == JSON_NUMBERS) {
    words4 is_first = is_own & ~(is_own << 8);
    words4 is_zero = (words4)((bytes32)text == '0') & is_first;
    // A zero before others, or a point before all.
    wrong |= (~is_point & (is_zero << 8)) | (is_point & is_first);
  }
  if (is_any(&wrong)) return false;
  // A one in front of as many zeros as digits are behind the point; nothing where there is none.
  words4 number, ten;
  add_digits((const bytes32 *)&digits, &number);
  add_digits((const bytes32 *)&point, &ten);
  // -1 where there is no point.
  ten -= has_none;
  doubles4 dividend, divisor;
  convert(&number, &dividend);
  convert(&ten, &divisor);
  doubles4 negated = (doubles4)((words4)(dividend / divisor) | is_negative << 63);
  floats4 nearest = __builtin_convertvector(negated, floats4);
  memcpy(values, &nearest, sizeof nearest);
  return true;
}

/// A number of 1 to 15 bytes.
INLINE bool take_short(const uint8_t *stop, size_t length, bool is_negative, float *value) {
  bytes16 text, is_own, is_after;
  memcpy(&text, stop - 16, 16);
  memcpy(&is_own, last + length, 16);
  bytes16 is_point = (bytes16)(text == '.');
  // 16 where there is no point.
  size_t fraction = 15 ^ (size_t)__builtin_ctz((mask16(&is_point) & 0xFFFFu << (16 - length)) | 1u << 31);
  memcpy(&is_after, last + fraction, 16);
  bytes16 digits = (text - '0') & is_own;
  // The digits before the point move over it.
  const bytes16 none = {0};
  bytes16 moved =
      __builtin_shufflevector(none, digits, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30);
  digits = (digits & is_after) | (moved & ~is_after);
  bytes16 is_wrong = (bytes16)(digits > 9);
  double number = (double)(int64_t)sixteen(&digits);
  bool is_sure = round_once(number * tenths[fraction & 15], is_negative, 4, value);
  return (mask16(&is_wrong) == 0 && fraction > 0) && is_sure;
}

/// A number of up to 31 bytes with its point among the first 17, as double precision is written.
INLINE bool take_long(const uint8_t *start, size_t length, bool is_negative, float *value) {
  if (length - 1 > 30) return false;
  bytes32 text, is_own;
  memcpy(&text, start, 32);
  memcpy(&is_own, first + 32 - length, 32);
  bytes32 is_point = (bytes32)(text == '.');
  // Digits before the point; all where there is none.
  size_t whole = (size_t)__builtin_ctz(mask32(&is_point) | 1u << length);
  // What is behind a number counts as zeros, as if it had so many more digits.
  bytes32 all = (text - '0') & is_own;
  bytes32 is_other = (bytes32)(all > 9);
  if ((mask32(&is_other) & ~(1u << whole)) != 0 || whole > 16 || whole + 1 == length) return false;
  // The first sixteen digits.
  bytes16 low = __builtin_shufflevector(all, all, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  bytes16 high = __builtin_shufflevector(all, all, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  bytes16 is_before;
  memcpy(&is_before, first + 32 - whole, 16);
  bytes16 digits = (low & is_before) | (high & ~is_before);
  uint64_t number = sixteen(&digits);
  double product = (double)(int64_t)number * tenths[16 - whole];
  if (length - (whole < length) <= 16) return round_once(product, is_negative, 4, value);
  // The digits that are left out are less than one of the last: 10^-11 of it all, which is less than 2^17 units.
  return number >= 100000000000 && round_once(product, is_negative, 1 << 17, value);
}

/// A number by itself.
INLINE bool take_one(const uint8_t *start, const uint8_t *stop, number_kind kind, float *value) {
  bool is_negative = *start == '-';
  const uint8_t *digits = start + is_negative;
  size_t length = (size_t)(stop - digits);
  if (kind == JSON_NUMBERS) {
    // A digit comes first, and no zero before others.
    if ((uint8_t)(*digits - '0') > 9 || (*digits == '0' && length > 1 && (uint8_t)(digits[1] - '0') <= 9)) return false;
  } else if (start == stop) {
    *value = __builtin_nanf("");
    return true;
  }
  bool is_usual = length - 1 < 15 ? take_short(stop, length, is_negative, value)
                                  : take_long(digits, length, is_negative, value);
  if (is_usual) return true;
  if (kind == JSON_NUMBERS) {
    // A digit stands behind the point.
    const uint8_t *point = digits;
    while (point < stop && *point != '.') point++;
    if (point < stop && (uint8_t)(point[1] - '0') > 9) return false;
  }
  return take_any(digits, stop, is_negative, value);
}

enum {
  /// Numbers whose places are found before they are read.
  AT_ONCE = 64,
  /// Bytes that must follow the start of what is read, which keeps every read inside the input.
  ROOM = 128,
};

/// Reads `count` numbers, four at a time where that is possible, or as many as come before the first that is none or takes
/// more than one product. Sixteen bytes before the first are there, and `ROOM` from where the last one begins.
///
/// - befores: the bytes before the numbers; with their signs these are all up to `stops`.
/// - values: with room for three more.
/// - Returns: how many were read.
INLINE size_t take_numbers(const uint8_t *const *befores, const uint8_t *const *stops, size_t count, number_kind kind,
                           float *values) {
  // The last four may have been read in part. Fewer are read one by one.
  size_t last_four = count < 4 ? 0 : count - 4;
  ptrdiff_t longest = count < 4 ? 0 : 10;
  for (size_t i = 0; i < count; i += 4) {
    size_t place = i < last_four ? i : last_four;
    // Where the first is long, others are.
    bool are_long = stops[place] - befores[place] > longest;
    if (!are_long && take_four(befores + place, stops + place, kind, values + place)) continue;
    for (size_t one = i; one < count && one < i + 4; one++) {
      if (!take_one(befores[one] + 1, stops[one], kind, &values[one])) return one;
    }
  }
  return count;
}

#endif
