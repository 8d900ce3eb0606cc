// Drives what `decimals.c` drives with tables and JSON of random numbers instead, usual ones and such as are hard to round:
// numbers SEED COUNT

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
extern size_t compared;

static uint64_t state;

/// xorshift64*.
static uint64_t next(void) {
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;
  return state * 0x2545F4914F6CDD1D;
}

static int below(int bound) { return (int)((next() >> 33) % (uint64_t)bound); }

/// Writes a number of at most 120 bytes.
static int number(char *text, int kind) {
  const char *sign = below(3) == 0 ? "-" : "";
  double unit = (double)(next() >> 11) * 0x1p-53;
  float some = (float)(unit * pow(10, below(8) - 3));
  double middle = ((double)some + (double)nextafterf(some, INFINITY)) / 2;
  switch (kind) {
    case 0: return sprintf(text, "%s%.6f", sign, unit);
    case 1: return sprintf(text, "%s%.17g", sign, unit);
    case 2: return sprintf(text, "%s%.*f", sign, below(9), unit * 2000);
    case 3: return sprintf(text, "%s%.*g", sign, 1 + below(20), unit * pow(10, below(8) - 4));
    // In the middle between two floats, and next to it.
    case 4: return sprintf(text, "%s%.*f", sign, below(40), middle);
    case 5: return sprintf(text, "%s%.17g", sign, nextafter(middle, below(2) == 0 ? 0 : 1e9));
    case 6: return sprintf(text, "%s%d", sign, below(2000));
    case 7: return sprintf(text, "%s%llu", sign, (unsigned long long)(next() >> below(64)));
    case 8: return sprintf(text, "%s%.*e", sign, below(18), unit * pow(10, below(60) - 45));
    default: return sprintf(text, "%s0.%0*d%llu", sign, 1 + below(12), 0, (unsigned long long)(next() >> below(64)));
  }
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  state = strtoull(arguments[1], NULL, 10) * 0x9E3779B97F4A7C15 | 1;
  size_t wanted = strtoull(arguments[2], NULL, 10);
  while (compared < wanted) {
    // Room before and behind, and 40 numbers, which are read as a row, as a list and as objects.
    char text[16384] = {3, 39};
    size_t size = 2;
    int kind = below(20);
    int shape = below(3);
    const char *between = (const char *[]){",", ", ", ",\n      "}[shape == 0 ? 0 : below(3)];
    for (int i = 0; i < 40; i++) {
      if (shape == 2) size += (size_t)sprintf(text + size, i % 2 == 0 ? "{\"x\": " : "\"y\": ");
      size += (size_t)number(text + size, kind < 10 ? kind : below(10));
      if (shape == 2 && i % 2 == 1) text[size++] = '}';
      size += (size_t)sprintf(text + size, "%s", i < 39 ? between : shape == 0 ? "\n" : "]");
    }
    LLVMFuzzerTestOneInput((const uint8_t *)text, size);
  }
  printf("%zu numbers as strtof reads them\n", compared);
  return 0;
}
