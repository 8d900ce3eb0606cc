#include "CPNG.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LARGEST_SIDE = 32767,
  LONGEST_KEY = 79,
  COMPRESSION_LEVEL = 6,
  MOST_COLOURS = 256,
  /// So many neighbours in a row that have the same colour are no edge; more where areas have too many colours.
  SHORTEST_AREA = 3,
  LONGEST_AREA = 24,
  /// Of a channel, by which the shades of edges are told apart: with four, the middle is 8 levels off at most.
  FEWEST_BITS = 4,
};

// MARK: - Colours

/// At most 256 colours, as 0xRRGGBB: those of areas, then the shades of edges, of which one stands for all that have the
/// same highest bits of red, green and blue.
typedef struct {
  uint32_t colours[MOST_COLOURS];
  int areas;
  int count;
  /// The bits that are compared, and what stands for the others.
  uint32_t mask;
  uint32_t middle;
  /// Colours whose place was looked for.
  struct {
    uint32_t colour;
    int index;
  } found[1024];
} palette;

/// A pixel as 0xRRGGBB.
static inline uint32_t pixel_colour(const uint8_t *row, int x) {
  uint32_t pixel;
  memcpy(&pixel, row + 4 * (size_t)x, sizeof pixel);
  return pixel & 0xFFFFFF;
}

static inline const uint8_t *pixel_row(const cpng_image *image, int y) {
  return image->bgrx + (size_t)y * (size_t)image->stride;
}

/// The end of the run of pixels of one colour that begins at `x`.
static inline int run_end(const uint8_t *row, int x, int width) {
  uint32_t colour = pixel_colour(row, x);
  do x++;
  while (x < width && pixel_colour(row, x) == colour);
  return x;
}

static inline uint32_t palette_shade(const palette *p, uint32_t colour) { return (colour & p->mask) | p->middle; }

/// The place of a colour; `count` where it has none.
static inline int palette_index(palette *p, uint32_t colour) {
  uint32_t slot = colour * 2654435761u >> 22;
  if (p->found[slot].colour == colour && p->found[slot].index >= 0) return p->found[slot].index;
  int index = 0;
  while (index < p->areas && p->colours[index] != colour) index++;
  if (index == p->areas) {
    while (index < p->count && p->colours[index] != palette_shade(p, colour)) index++;
  }
  p->found[slot].colour = colour;
  p->found[slot].index = index < p->count ? index : -1;
  return index;
}

/// Adds the colours that at least `length` neighbours in a row have, told apart by so many highest bits of each channel; 0
/// where there are too many.
static int palette_add(palette *p, const cpng_image *image, int bits, int length) {
  p->mask = 0x010101u * (0xFF & 0xFFu << (8 - bits));
  p->middle = 0x010101u * (0x80u >> bits);
  for (int i = 0; i < 1024; i++) p->found[i].index = -1;
  for (int y = 0; y < image->height; y++) {
    const uint8_t *row = pixel_row(image, y);
    if (y > 0 && memcmp(row - image->stride, row, 4 * (size_t)image->width) == 0) continue;
    for (int x = 0, end; x < image->width; x = end) {
      end = run_end(row, x, image->width);
      if (end - x < length) continue;
      int index = palette_index(p, pixel_colour(row, x));
      if (index == MOST_COLOURS) return 0;
      if (index == p->count) p->colours[p->count++] = palette_shade(p, pixel_colour(row, x));
    }
  }
  return 1;
}

/// Finds a palette for a picture; without colours where 256 are not enough.
static void palette_find(palette *p, const cpng_image *image) {
  for (int area = SHORTEST_AREA; area <= LONGEST_AREA; area *= 2) {
    p->areas = p->count = 0;
    if (!palette_add(p, image, 8, area)) continue;
    p->areas = p->count;
    for (int bits = 8; bits >= FEWEST_BITS; bits -= 2) {
      p->count = p->areas;
      if (palette_add(p, image, bits, 1)) return;
    }
  }
  p->areas = p->count = 0;
}

// MARK: - Writing

// All that an encoding holds, behind one pointer, so that a jump out of libpng finds it unchanged.
typedef struct {
  png_structp png;
  png_infop info;
  png_textp texts;
  uint8_t *row;
  /// Without colours where there are too many.
  palette palette;
  cpng_buffer *out;
  char *message;
} encoding;

static void say(char *message, const char *words) { snprintf(message, CPNG_MESSAGE_SIZE, "%s", words); }

static void on_error(png_structp png, png_const_charp words) {
  encoding *e = png_get_error_ptr(png);
  say(e->message, words);
  png_longjmp(png, 1);
}

// libpng warns of chunks that it drops; none of what is written here may be dropped, so a warning is an error.
static void on_warning(png_structp png, png_const_charp words) { on_error(png, words); }

static void on_write(png_structp png, png_bytep bytes, size_t size) {
  cpng_buffer *out = png_get_io_ptr(png);
  if (out->capacity - out->size < size) {
    size_t capacity = 2 * out->capacity + size + 16384;
    uint8_t *grown = realloc(out->bytes, capacity);
    if (grown == NULL) png_error(png, "out of memory");
    out->bytes = grown;
    out->capacity = capacity;
  }
  memcpy(out->bytes + out->size, bytes, size);
  out->size += size;
}

static void on_flush(png_structp png) { (void)png; }

static int is_key(const char *key) {
  size_t length = strlen(key);
  if (length < 1 || length > LONGEST_KEY || key[0] == ' ' || key[length - 1] == ' ') return 0;
  for (size_t i = 0; i < length; i++) {
    if (key[i] < ' ' || key[i] > '~' || (key[i] == ' ' && key[i + 1] == ' ')) return 0;
  }
  return 1;
}

static int is_ascii(const char *value) {
  for (; *value != 0; value++) {
    if ((unsigned char)*value > '~') return 0;
  }
  return 1;
}

static cpng_status check(const cpng_image *image, const cpng_text *texts, int text_count, char *message) {
  if (image->width < 1 || image->height < 1 || image->width > LARGEST_SIDE || image->height > LARGEST_SIDE
      || image->stride / 4 < image->width) {
    snprintf(
        message, CPNG_MESSAGE_SIZE,
        "a picture of %d x %d pixels, %d bytes a row: each side must be 1 to %d pixels of 4 bytes",
        image->width, image->height, image->stride, LARGEST_SIDE);
    return CPNG_INVALID;
  }
  for (int i = 0; i < text_count; i++) {
    if (!is_key(texts[i].key)) {
      snprintf(
          message, CPNG_MESSAGE_SIZE,
          "text key '%.100s': expected 1 to %d ASCII characters with single spaces inside only",
          texts[i].key, LONGEST_KEY);
      return CPNG_INVALID;
    }
  }
  return CPNG_OK;
}

static void set_texts(encoding *e, const cpng_text *texts, int count) {
  for (int i = 0; i < count; i++) {
    e->texts[i].compression = is_ascii(texts[i].value) ? PNG_TEXT_COMPRESSION_NONE : PNG_ITXT_COMPRESSION_NONE;
    e->texts[i].key = (png_charp)texts[i].key;
    e->texts[i].text = (png_charp)texts[i].value;
  }
  if (count > 0) png_set_text(e->png, e->info, e->texts, count);
}

static void set_palette(encoding *e) {
  png_color colours[MOST_COLOURS];
  for (int i = 0; i < e->palette.count; i++) {
    uint32_t colour = e->palette.colours[i];
    colours[i] = (png_color){(png_byte)(colour >> 16), (png_byte)(colour >> 8), (png_byte)colour};
  }
  png_set_PLTE(e->png, e->info, colours, e->palette.count);
}

static void write_row(encoding *e, const uint8_t *bgrx, int width) {
  uint8_t *out = e->row;
  for (int x = 0, end; x < width; x = end) {
    end = run_end(bgrx, x, width);
    uint32_t colour = pixel_colour(bgrx, x);
    if (e->palette.count > 0) {
      memset(out + x, palette_index(&e->palette, colour), (size_t)(end - x));
      continue;
    }
    for (; x < end; x++) {
      out[3 * (size_t)x] = (uint8_t)(colour >> 16);
      out[3 * (size_t)x + 1] = (uint8_t)(colour >> 8);
      out[3 * (size_t)x + 2] = (uint8_t)colour;
    }
  }
  png_write_row(e->png, out);
}

// Returns 0 when libpng gave up. The only function that libpng jumps back into; it changes no local variable.
static int write_file(
    encoding *e, const cpng_image *image, const cpng_text *texts, int text_count, double pixels_per_metre) {
  if (setjmp(png_jmpbuf(e->png))) return 0;

  png_set_write_fn(e->png, e->out, on_write, on_flush);
  // Neighbouring pixels of a chart are equal, not similar: prediction hides the repeats from deflate.
  png_set_filter(e->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  // Every index is one that the palette gave.
  png_set_check_for_invalid_index(e->png, 0);
  png_set_compression_level(e->png, COMPRESSION_LEVEL);
  png_set_IHDR(
      e->png, e->info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
      e->palette.count > 0 ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB_gAMA_and_cHRM(e->png, e->info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (pixels_per_metre > 0 && pixels_per_metre < 1e6) {
    png_uint_32 density = (png_uint_32)(pixels_per_metre + 0.5);
    png_set_pHYs(e->png, e->info, density, density, PNG_RESOLUTION_METER);
  }
  if (e->palette.count > 0) set_palette(e);
  set_texts(e, texts, text_count);

  png_write_info(e->png, e->info);
  for (int y = 0; y < image->height; y++) write_row(e, pixel_row(image, y), image->width);
  png_write_end(e->png, NULL);
  return 1;
}

cpng_status cpng_encode(
    const cpng_image *image, const cpng_text *texts, int text_count, double pixels_per_metre, cpng_buffer *out,
    char message[CPNG_MESSAGE_SIZE]) {
  *out = (cpng_buffer){0};
  message[0] = 0;
  cpng_status status = check(image, texts, text_count, message);
  if (status != CPNG_OK) return status;

  encoding e = {.out = out, .message = message};
  palette_find(&e.palette, image);
  e.row = malloc(3 * (size_t)image->width);
  e.texts = calloc((size_t)text_count + 1, sizeof *e.texts);
  e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning);
  if (e.png != NULL) e.info = png_create_info_struct(e.png);

  if (e.row == NULL || e.texts == NULL || e.info == NULL) {
    if (message[0] == 0) say(message, "out of memory");
    status = CPNG_OUT_OF_MEMORY;
  } else if (!write_file(&e, image, texts, text_count, pixels_per_metre)) {
    status = CPNG_LIBPNG;
  }

  if (e.png != NULL) png_destroy_write_struct(&e.png, &e.info);
  free(e.texts);
  free(e.row);
  if (status != CPNG_OK) cpng_buffer_free(out);
  return status;
}

void cpng_buffer_free(cpng_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (cpng_buffer){0};
}

// MARK: - Reading

// libpng's simplified interface catches its own jumps.
static cpng_status begin(png_image *image, const uint8_t *bytes, size_t size, char *message) {
  memset(image, 0, sizeof *image);
  image->version = PNG_IMAGE_VERSION;
  message[0] = 0;
  if (!png_image_begin_read_from_memory(image, bytes, size)) {
    snprintf(message, CPNG_MESSAGE_SIZE, "%s", image->message);
    png_image_free(image);
    return CPNG_LIBPNG;
  }
  if (image->width > LARGEST_SIDE || image->height > LARGEST_SIDE) {
    snprintf(
        message, CPNG_MESSAGE_SIZE, "a picture of %u x %u pixels: each side must be 1 to %d pixels",
        (unsigned)image->width, (unsigned)image->height, LARGEST_SIDE);
    png_image_free(image);
    return CPNG_INVALID;
  }
  image->format = PNG_FORMAT_RGB;
  return CPNG_OK;
}

cpng_status cpng_read_size(
    const uint8_t *bytes, size_t size, int *width, int *height, char message[CPNG_MESSAGE_SIZE]) {
  png_image image;
  cpng_status status = begin(&image, bytes, size, message);
  if (status != CPNG_OK) return status;
  *width = (int)image.width;
  *height = (int)image.height;
  png_image_free(&image);
  return CPNG_OK;
}

cpng_status cpng_read_pixels(
    const uint8_t *bytes, size_t size, uint8_t *rgb, size_t room, char message[CPNG_MESSAGE_SIZE]) {
  png_image image;
  cpng_status status = begin(&image, bytes, size, message);
  if (status != CPNG_OK) return status;
  if (PNG_IMAGE_SIZE(image) > room) {
    snprintf(message, CPNG_MESSAGE_SIZE, "room for %zu bytes, a picture of %zu", room, (size_t)PNG_IMAGE_SIZE(image));
    png_image_free(&image);
    return CPNG_INVALID;
  }
  const png_color white = {255, 255, 255};
  if (!png_image_finish_read(&image, &white, rgb, 0, NULL)) {
    snprintf(message, CPNG_MESSAGE_SIZE, "%s", image.message);
    png_image_free(&image);
    return CPNG_LIBPNG;
  }
  return CPNG_OK;
}
