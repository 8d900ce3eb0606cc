#include "CPNG.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "palette.h"

enum { LARGEST_SIDE = 32767, LONGEST_KEY = 79, COMPRESSION_LEVEL = 6 };

// All that an encoding holds, behind one pointer, so that a jump out of libpng finds it unchanged.
typedef struct {
  png_structp png;
  png_infop info;
  png_textp texts;
  uint8_t *row;
  uint8_t *above;
  palette *palette;
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
  png_color colours[PALETTE_LIMIT];
  int count = palette_count(e->palette);
  for (int i = 0; i < count; i++) {
    uint32_t colour = palette_colour(e->palette, i);
    colours[i] = (png_color){(png_byte)(colour >> 16), (png_byte)(colour >> 8), (png_byte)colour};
  }
  png_set_PLTE(e->png, e->info, colours, count);
}

static void fill_row(encoding *e, const uint8_t *bgrx, int width) {
  if (e->palette == NULL) {
    for (int x = 0; x < width; x++, bgrx += 4) {
      e->row[3 * (size_t)x] = bgrx[2];
      e->row[3 * (size_t)x + 1] = bgrx[1];
      e->row[3 * (size_t)x + 2] = bgrx[0];
    }
    return;
  }
  for (int x = 0, end; x < width; x = end) {
    end = run_end(bgrx, x, width);
    memset(e->row + x, palette_index(e->palette, pixel_colour(bgrx + 4 * (size_t)x)), (size_t)(end - x));
  }
}

// Neighbouring pixels of a chart are equal, not similar: prediction mostly hides the repeats from deflate. It pays in a
// row that is much like the one above, as within text's stems and behind upright lines: where the difference changes
// less than half as often as the row itself.
static int is_like_above(const encoding *e, size_t size, size_t pixel) {
  const uint8_t *row = e->row, *above = e->above;
  unsigned own = 0, across = 0;
  // Counts of one byte are added up many at a time.
  for (size_t start = pixel, end; start < size; start = end) {
    end = size - start < 255 ? size : start + 255;
    uint8_t own_here = 0, across_here = 0;
    for (size_t i = start; i < end; i++) {
      uint8_t here = (uint8_t)(row[i] - above[i]), before = (uint8_t)(row[i - pixel] - above[i - pixel]);
      own_here += row[i] != row[i - pixel];
      across_here += here != before;
    }
    own += own_here;
    across += across_here;
  }
  return 2 * across < own;
}

static void write_row(encoding *e, const cpng_image *image, int y) {
  size_t pixel = e->palette == NULL ? 3 : 1, size = pixel * (size_t)image->width;
  uint8_t *last = e->above;
  e->above = e->row;
  e->row = last;
  if (y > 0 && rows_are_equal(image, y - 1, y)) {
    memcpy(e->row, e->above, size);
  } else {
    fill_row(e, pixel_row(image, y), image->width);
  }
  // Before the first row libpng must not hear of one filter only: see write_file.
  if (y > 0) {
    png_set_filter(
        e->png, PNG_FILTER_TYPE_BASE, is_like_above(e, size, pixel) ? PNG_FILTER_UP : PNG_FILTER_NONE);
  }
  png_write_row(e->png, e->row);
}

// Returns 0 when libpng gave up. The only function that libpng jumps back into; it changes no local variable.
static int write_file(
    encoding *e, const cpng_image *image, const cpng_text *texts, int text_count, double pixels_per_metre) {
  if (setjmp(png_jmpbuf(e->png))) return 0;

  png_set_write_fn(e->png, e->out, on_write, on_flush);
  // libpng keeps the row above only for a filter that was named before the first row.
  png_set_filter(e->png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE | PNG_FILTER_UP);
  // Every index is one that the palette gave.
  png_set_check_for_invalid_index(e->png, 0);
  png_set_compression_level(e->png, COMPRESSION_LEVEL);
  png_set_IHDR(
      e->png, e->info, (png_uint_32)image->width, (png_uint_32)image->height, 8,
      e->palette == NULL ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB_gAMA_and_cHRM(e->png, e->info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (pixels_per_metre > 0 && pixels_per_metre < 1e6) {
    png_uint_32 density = (png_uint_32)(pixels_per_metre + 0.5);
    png_set_pHYs(e->png, e->info, density, density, PNG_RESOLUTION_METER);
  }
  if (e->palette != NULL) set_palette(e);
  set_texts(e, texts, text_count);

  png_write_info(e->png, e->info);
  for (int y = 0; y < image->height; y++) write_row(e, image, y);
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
  palette_status found = palette_make(image, CPNG_TOLERANCE, &e.palette);
  e.row = malloc(3 * (size_t)image->width);
  e.above = malloc(3 * (size_t)image->width);
  e.texts = calloc((size_t)text_count + 1, sizeof *e.texts);
  e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning);
  if (e.png != NULL) e.info = png_create_info_struct(e.png);

  if (found == PALETTE_OUT_OF_MEMORY || e.row == NULL || e.above == NULL || e.texts == NULL || e.info == NULL) {
    if (message[0] == 0) say(message, "out of memory");
    status = CPNG_OUT_OF_MEMORY;
  } else if (!write_file(&e, image, texts, text_count, pixels_per_metre)) {
    status = CPNG_LIBPNG;
  }

  if (e.png != NULL) png_destroy_write_struct(&e.png, &e.info);
  palette_free(e.palette);
  free(e.texts);
  free(e.row);
  free(e.above);
  if (status != CPNG_OK) cpng_buffer_free(out);
  return status;
}

void cpng_buffer_free(cpng_buffer *buffer) {
  free(buffer->bytes);
  *buffer = (cpng_buffer){0};
}
