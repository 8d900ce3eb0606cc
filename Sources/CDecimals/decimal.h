#ifndef DECIMAL_H
#define DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Digits times a power of ten, as the nearest float. Only next to the middle between two floats can rounding twice differ
/// from rounding once: then it is false.
///
/// - product: between 10^-22 and the greatest float, or 0.
/// - units: more than the product is off by, in units in the last place of a double. A product of all digits is off by less
///   than three: one for digits beyond 53 bits, one for a power that is no binary fraction, one for the product.
static inline bool decimal_round(double product, bool is_negative, int64_t units, float *value) {
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

/// The nearest doubles to 10^-n.
extern const double decimal_tenths[23];

/// A number of any length and with an exponent that makes up [first, end), without its sign; false for anything else and
/// where the nearest float takes more than one product.
bool decimal_long(const uint8_t *first, const uint8_t *end, bool is_negative, float *value);

#endif
