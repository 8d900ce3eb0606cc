#include <string.h>

#include "CDecimals.h"

/// Compilers make of these the vector instructions that the processor has.
typedef uint8_t bytes64 __attribute__((vector_size(64)));

size_t cdecimals_count(const uint8_t *bytes, size_t count, uint8_t byte) {
  size_t total = 0;
  size_t place = 0;
  while (count - place >= 64) {
    // Each lane counts up to 255.
    size_t blocks = (count - place) / 64 < 255 ? (count - place) / 64 : 255;
    bytes64 lanes = {0};
    for (size_t block = 0; block < blocks; block++, place += 64) {
      bytes64 text;
      memcpy(&text, bytes + place, 64);
      lanes -= (bytes64)(text == byte);
    }
    for (int lane = 0; lane < 64; lane++) total += lanes[lane];
  }
  for (; place < count; place++) total += bytes[place] == byte;
  return total;
}

bool cdecimals_is_ascii(const uint8_t *bytes, size_t count, uint8_t first, uint8_t second, uint8_t third) {
  bytes64 found = {0};
  size_t place = 0;
  for (; count - place >= 64; place += 64) {
    bytes64 text;
    memcpy(&text, bytes + place, 64);
    found |= text | (bytes64)(text == first) | (bytes64)(text == second) | (bytes64)(text == third);
  }
  uint8_t all = 0;
  for (int lane = 0; lane < 64; lane++) all |= found[lane];
  for (; place < count; place++) {
    bool is_one = bytes[place] == first || bytes[place] == second || bytes[place] == third;
    all |= is_one ? 0x80 : bytes[place];
  }
  return all < 0x80;
}

/// Whether a byte may stand in a list of numbers: '+' to '9', white space, or the letter of an exponent. Without a branch,
/// so that many bytes are looked at together.
static inline bool is_of_numbers(uint8_t byte) {
  bool is_space = (byte == ' ') | (byte == '\n') | (byte == '\r') | (byte == '\t');
  return ((uint8_t)(byte - '+') <= '9' - '+') | is_space | ((byte | 0x20) == 'e');
}

size_t cdecimals_list_end(const uint8_t *bytes, size_t count, size_t position) {
  if (position >= count) return count;
  const uint8_t *end = memchr(bytes + position, ']', count - position);
  if (end == NULL) return count;
  uint8_t others = 0;
  size_t place = (size_t)(end - bytes);
  for (size_t i = position; i < place; i++) others |= !is_of_numbers(bytes[i]);
  return others == 0 ? place : count;
}
