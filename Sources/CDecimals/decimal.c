#include "decimal.h"

const double decimal_tenths[23] = {1e0,   1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,  1e-9,  1e-10, 1e-11,
                                   1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22};

/// Exact.
static const double tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

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

bool decimal_long(const uint8_t *first, const uint8_t *end, bool is_negative, float *value) {
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
  double product = (double)digits * (power < 0 ? decimal_tenths[-power] : tens[power]);
  return product < 3.4e38 && decimal_round(product, is_negative, 4, value);
}
