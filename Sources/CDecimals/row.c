#include "CDecimals.h"
#include "sixteen.h"

#if HAS_SIXTEEN

/// Bytes below '-', among them all that end a field: a bit for each of 64.
SIXTEEN static inline uint64_t ends(const uint8_t *bytes) {
  uint64_t bits = 0;
  for (int i = 0; i < 4; i++) {
    __m128i text = sixteen_load(bytes + 16 * i);
    bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmplt_epi8(text, _mm_set1_epi8('-'))) << 16 * i;
  }
  return bits;
}

/// A field that is no usual number: a long one, or none.
static bool take_unusual(const uint8_t *start, const uint8_t *end, float *value) {
  *value = __builtin_nanf("");
  bool is_negative = *start == '-';
  return start == end || decimal_long(start + is_negative, end, is_negative, value);
}

/// Whether a line ends at a place.
static inline bool is_line_end(const uint8_t *bytes, size_t count, size_t place) {
  return bytes[place] == '\n' || (bytes[place] == '\r' && place + 1 < count && bytes[place + 1] == '\n');
}

SIXTEEN static size_t row(const uint8_t *bytes, size_t count, size_t *position, float *target, const size_t *offsets,
                          size_t fields) {
  size_t start = *position;
  if (start < 16) return 0;
  size_t done = 0;
  // Where fields end is found for 64 bytes at once, so that no number waits for the one before.
  for (size_t block = start; count - block >= 64; block += 64) {
    for (uint64_t bits = ends(bytes + block); bits != 0; bits &= bits - 1) {
      size_t end = block + (size_t)__builtin_ctzll(bits);
      if (bytes[end] != ',' && (done + 1 < fields || !is_line_end(bytes, count, end))) goto stop;
      bool is_negative = bytes[start] == '-';
      size_t length = end - start - is_negative;
      float *value = &target[offsets[done]];
      bool is_usual = length - 1 < 15 && sixteen_decimal(bytes + end, length, is_negative, value);
      if (__builtin_expect(!is_usual, 0) && !take_unusual(bytes + start, bytes + end, value)) goto stop;
      start = end + 1;
      if (++done == fields) {
        *position = end;
        return done;
      }
    }
  }
stop:
  *position = start;
  return done;
}

#endif

size_t cdecimals_row(const uint8_t *bytes, size_t count, size_t *position, float *target, const size_t *offsets,
                     size_t fields) {
#if HAS_SIXTEEN
  if (fields > 0 && *position <= count && has_sixteen()) return row(bytes, count, position, target, offsets, fields);
#endif
  return 0;
}
