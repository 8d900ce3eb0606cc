#include "palette.h"

#include <stdlib.h>
#include <string.h>

enum {
  // Above this many different colours the picture is a photograph, not a chart.
  COLOUR_LIMIT = 1 << 14,
  SLOT_COUNT = 1 << 15,
  FIRST_RADIUS = 6,
};

typedef struct {
  uint32_t colour;
  uint32_t pixels;
  uint8_t index;
} entry;

struct palette {
  int count;
  uint32_t colours[PALETTE_LIMIT];
  int entry_count;
  // An open-addressed table of positions in `entries`, one more than the position, 0 for an empty slot.
  uint16_t slots[SLOT_COUNT];
  entry entries[COLOUR_LIMIT];
};

static uint32_t slot_of(const palette *p, uint32_t colour) {
  uint32_t slot = (colour * 2654435761u) >> 17;
  while (p->slots[slot] != 0 && p->entries[p->slots[slot] - 1].colour != colour) {
    slot = (slot + 1) & (SLOT_COUNT - 1);
  }
  return slot;
}

// Counts the pixels of each colour, a run of equal pixels at a time. Returns 0 when there are too many colours.
static int count_colours(palette *p, const cpng_image *image) {
  for (int y = 0; y < image->height; y++) {
    const uint8_t *row = image->bgrx + (size_t)y * (size_t)image->stride;
    int x = 0;
    while (x < image->width) {
      uint32_t colour = pixel_colour(row + 4 * (size_t)x);
      int start = x;
      do { x++; } while (x < image->width && pixel_colour(row + 4 * (size_t)x) == colour);
      uint32_t slot = slot_of(p, colour);
      if (p->slots[slot] == 0) {
        if (p->entry_count == COLOUR_LIMIT) return 0;
        p->entries[p->entry_count++].colour = colour;
        p->slots[slot] = (uint16_t)p->entry_count;
      }
      p->entries[p->slots[slot] - 1].pixels += (uint32_t)(x - start);
    }
  }
  return 1;
}

// The commonest colour first; equal counts by colour, so that the order depends on the picture alone.
static int by_pixels(const void *a, const void *b) {
  const entry *left = a, *right = b;
  if (left->pixels != right->pixels) return left->pixels > right->pixels ? -1 : 1;
  return left->colour < right->colour ? -1 : left->colour > right->colour;
}

static int channel_distance(uint32_t a, uint32_t b, int shift) {
  return abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff));
}

// The greatest difference in red, green and blue.
static int distance(uint32_t a, uint32_t b) {
  int red = channel_distance(a, b, 16), green = channel_distance(a, b, 8), blue = channel_distance(a, b, 0);
  int most = red > green ? red : green;
  return most > blue ? most : blue;
}

// Takes each colour that is further than `radius` from all taken before. Returns 0 when 256 are not enough.
static int choose(palette *p, int radius) {
  p->count = 0;
  for (int i = 0; i < p->entry_count; i++) {
    uint32_t colour = p->entries[i].colour;
    int taken = 0;
    while (taken < p->count && distance(colour, p->colours[taken]) > radius) taken++;
    if (taken < p->count) continue;
    if (p->count == PALETTE_LIMIT) return 0;
    p->colours[p->count++] = colour;
  }
  return 1;
}

static uint8_t nearest(const palette *p, uint32_t colour) {
  int best = 0, least = distance(colour, p->colours[0]);
  for (int i = 1; i < p->count && least > 0; i++) {
    int candidate = distance(colour, p->colours[i]);
    if (candidate < least) {
      least = candidate;
      best = i;
    }
  }
  return (uint8_t)best;
}

palette_status palette_make(const cpng_image *image, int tolerance, palette **out) {
  palette *p = calloc(1, sizeof *p);
  if (p == NULL) return PALETTE_OUT_OF_MEMORY;

  int found = count_colours(p, image);
  if (found) {
    qsort(p->entries, (size_t)p->entry_count, sizeof(entry), by_pixels);
    int radius = p->entry_count <= PALETTE_LIMIT ? 0 : FIRST_RADIUS;
    while (!(found = choose(p, radius)) && radius < tolerance) radius++;
  }
  if (!found) {
    free(p);
    return PALETTE_TOO_MANY_COLOURS;
  }

  memset(p->slots, 0, sizeof p->slots);
  for (int i = 0; i < p->entry_count; i++) {
    p->entries[i].index = nearest(p, p->entries[i].colour);
    p->slots[slot_of(p, p->entries[i].colour)] = (uint16_t)(i + 1);
  }
  *out = p;
  return PALETTE_FOUND;
}

int palette_count(const palette *p) { return p->count; }

uint32_t palette_colour(const palette *p, int index) { return p->colours[index]; }

uint8_t palette_index(const palette *p, uint32_t colour) { return p->entries[p->slots[slot_of(p, colour)] - 1].index; }

void palette_free(palette *p) { free(p); }
