#include "palette.h"

#include <stdlib.h>
#include <string.h>

enum {
  // Above this many different colours the picture is a photograph, not a chart.
  COLOUR_LIMIT = 1 << 14,
  SLOT_COUNT = 1 << 15,
};

typedef struct {
  uint32_t colour;
  uint32_t pixels;
  uint8_t index;
} entry;

struct palette {
  int count;
  uint32_t colours[PALETTE_LIMIT];
  // The same a channel, so that a colour is compared with many of them at once.
  uint8_t red[PALETTE_LIMIT], green[PALETTE_LIMIT], blue[PALETTE_LIMIT];
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

// Counts the pixels of each colour, a run of equal pixels and equal rows at a time. Returns 0 when there are too many
// colours.
static int count_colours(palette *p, const cpng_image *image) {
  int repeats;
  for (int y = 0; y < image->height; y += repeats) {
    const uint8_t *row = pixel_row(image, y);
    repeats = 1;
    while (y + repeats < image->height && rows_are_equal(image, y, y + repeats)) repeats++;
    for (int x = 0, end; x < image->width; x = end) {
      uint32_t colour = pixel_colour(row + 4 * (size_t)x);
      end = run_end(row, x, image->width);
      uint32_t slot = slot_of(p, colour);
      if (p->slots[slot] == 0) {
        if (p->entry_count == COLOUR_LIMIT) return 0;
        p->entries[p->entry_count++].colour = colour;
        p->slots[slot] = (uint16_t)p->entry_count;
      }
      p->entries[p->slots[slot] - 1].pixels += (uint32_t)(end - x) * (uint32_t)repeats;
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

static uint8_t difference(uint8_t a, uint8_t b) { return a > b ? (uint8_t)(a - b) : (uint8_t)(b - a); }

static uint8_t larger(uint8_t a, uint8_t b) { return a > b ? a : b; }

// The least distance from `colour` to any of the palette, 255 of an empty one; `index` is the first that is as near. A
// distance is the greatest difference in red, green and blue.
static uint8_t nearest(const palette *p, uint32_t colour, uint8_t *index) {
  uint8_t red = (uint8_t)(colour >> 16), green = (uint8_t)(colour >> 8), blue = (uint8_t)colour;
  uint8_t distances[PALETTE_LIMIT], least = 255;
  for (int i = 0; i < p->count; i++) {
    distances[i] = larger(
        larger(difference(p->red[i], red), difference(p->green[i], green)), difference(p->blue[i], blue));
    least = distances[i] < least ? distances[i] : least;
  }
  const uint8_t *first = memchr(distances, least, (size_t)p->count);
  *index = first == NULL ? 0 : (uint8_t)(first - distances);
  return least;
}

// Takes each colour that is further than `tolerance` from all taken before, and any that as many as `area` pixels have:
// a shade of its own, not an edge. The fewer shades an edge has, the more of it repeats. Returns 0 when 256 are not enough.
static int choose(palette *p, int tolerance, uint32_t area) {
  for (int i = 0; i < p->entry_count; i++) {
    uint32_t colour = p->entries[i].colour;
    uint8_t index;
    int covered = p->entries[i].pixels < area && p->count > 0 && nearest(p, colour, &index) <= tolerance;
    if (covered) continue;
    if (p->count == PALETTE_LIMIT) return 0;
    p->colours[p->count] = colour;
    p->red[p->count] = (uint8_t)(colour >> 16);
    p->green[p->count] = (uint8_t)(colour >> 8);
    p->blue[p->count] = (uint8_t)colour;
    p->count++;
  }
  return 1;
}

palette_status palette_make(const cpng_image *image, int tolerance, palette **out) {
  palette *p = calloc(1, sizeof *p);
  if (p == NULL) return PALETTE_OUT_OF_MEMORY;

  int found = count_colours(p, image);
  if (found) {
    qsort(p->entries, (size_t)p->entry_count, sizeof(entry), by_pixels);
    int exact = p->entry_count <= PALETTE_LIMIT;
    found = choose(p, tolerance, exact ? 0 : (uint32_t)image->width);
  }
  if (!found) {
    free(p);
    return PALETTE_TOO_MANY_COLOURS;
  }

  memset(p->slots, 0, sizeof p->slots);
  for (int i = 0; i < p->entry_count; i++) {
    nearest(p, p->entries[i].colour, &p->entries[i].index);
    p->slots[slot_of(p, p->entries[i].colour)] = (uint16_t)(i + 1);
  }
  *out = p;
  return PALETTE_FOUND;
}

int palette_count(const palette *p) { return p->count; }

uint32_t palette_colour(const palette *p, int index) { return p->colours[index]; }

uint8_t palette_index(const palette *p, uint32_t colour) { return p->entries[p->slots[slot_of(p, colour)] - 1].index; }

void palette_free(palette *p) { free(p); }
