#ifndef CPNG_PALETTE_H
#define CPNG_PALETTE_H

#include <stdint.h>
#include <string.h>

#include "CPNG.h"

#define PALETTE_LIMIT 256

/// At most 256 colours (0xRRGGBB) and, for each colour of the picture, the index of the one that stands for it.
typedef struct palette palette;

/// What the search for a palette came to.
typedef enum { PALETTE_FOUND, PALETTE_TOO_MANY_COLOURS, PALETTE_OUT_OF_MEMORY } palette_status;

/// Finds a palette for the picture: its own colours if they are 256 or fewer, else the commonest ones, chosen so that
/// none of the picture's colours is further than `tolerance` levels in any channel from its stand-in.
palette_status palette_make(const cpng_image *image, int tolerance, palette **out);

int palette_count(const palette *palette);
uint32_t palette_colour(const palette *palette, int index);

/// The index for a pixel of the picture that the palette was made from.
uint8_t palette_index(const palette *palette, uint32_t colour);

void palette_free(palette *palette);

/// The pixel at `bytes` as 0xRRGGBB.
static inline uint32_t pixel_colour(const uint8_t *bytes) {
  return (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[0];
}

static inline const uint8_t *pixel_row(const cpng_image *image, int y) {
  return image->bgrx + (size_t)y * (size_t)image->stride;
}

/// Whether two rows have the same bytes, those that are unused included.
static inline int rows_are_equal(const cpng_image *image, int a, int b) {
  return memcmp(pixel_row(image, a), pixel_row(image, b), 4 * (size_t)image->width) == 0;
}

/// The end of the run of pixels with the same bytes that begins at `x`.
static inline int run_end(const uint8_t *row, int x, int width) {
  uint32_t first, pair[2];
  memcpy(&first, row + 4 * (size_t)x, 4);
  for (x++; x + 2 <= width; x += 2) {
    memcpy(pair, row + 4 * (size_t)x, 8);
    if (pair[0] != first) return x;
    if (pair[1] != first) return x + 1;
  }
  if (x < width) {
    memcpy(pair, row + 4 * (size_t)x, 4);
    if (pair[0] == first) x++;
  }
  return x;
}

#endif
