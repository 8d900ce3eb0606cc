#ifndef CPNG_PALETTE_H
#define CPNG_PALETTE_H

#include <stdint.h>

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

#endif
