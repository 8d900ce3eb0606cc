#include "CPNG.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LARGEST_SIDE = 32767,
  LONGEST_KEY = 79,
  /// In milliseconds: two bytes hold it.
  LONGEST_FRAME = 65535,
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
  /// Compresses the later frames of an animation; no file of its own.
  png_structp later;
  png_infop later_info;
  cpng_buffer later_out;
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
  // What goes wrong in a later frame ends the file.
  png_longjmp(e->png != NULL ? e->png : png, 1);
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

static void set_palette(encoding *e, png_structp png, png_infop info) {
  png_color colours[MOST_COLOURS];
  for (int i = 0; i < e->palette.count; i++) {
    uint32_t colour = e->palette.colours[i];
    colours[i] = (png_color){(png_byte)(colour >> 16), (png_byte)(colour >> 8), (png_byte)colour};
  }
  png_set_PLTE(png, info, colours, e->palette.count);
}

static void write_row(encoding *e, png_structp png, const uint8_t *bgrx, int width) {
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
  png_write_row(png, out);
}

static void begin_pixels(encoding *e, png_structp png, png_infop info, cpng_buffer *out, int width, int height) {
  png_set_write_fn(png, out, on_write, on_flush);
  // Neighbouring pixels of a chart are equal, not similar: prediction hides the repeats from deflate.
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  // Every index is one that the palette gave.
  png_set_check_for_invalid_index(png, 0);
  png_set_compression_level(png, COMPRESSION_LEVEL);
  png_set_IHDR(
      png, info, (png_uint_32)width, (png_uint_32)height, 8,
      e->palette.count > 0 ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
      PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (e->palette.count > 0) set_palette(e, png, info);
}

/// A part of a picture, in pixels.
typedef struct {
  int left, top, width, height;
} area;

/// The part of a frame that differs from the one before it; one pixel where nothing does.
static area changed_area(const cpng_image *image, int frame, int height) {
  int left = image->width, right = 0, top = height, bottom = 0;
  for (int y = 0; y < height; y++) {
    const uint8_t *row = pixel_row(image, frame * height + y), *old = pixel_row(image, (frame - 1) * height + y);
    if (memcmp(row, old, 4 * (size_t)image->width) == 0) continue;
    if (y < top) top = y;
    bottom = y + 1;
    for (int x = 0; x < image->width; x++) {
      if (pixel_colour(row, x) == pixel_colour(old, x)) continue;
      if (x < left) left = x;
      if (x >= right) right = x + 1;
    }
  }
  return right > left ? (area){left, top, right - left, bottom - top} : (area){0, 0, 1, 1};
}

// What says how a frame is shown (PNG specification, third edition, 11.3.6.2): its part replaces what was there.
static void write_frame_control(encoding *e, png_uint_32 number, area part, int milliseconds) {
  png_byte control[26] = {0};
  png_save_uint_32(control, number);
  png_save_uint_32(control + 4, (png_uint_32)part.width);
  png_save_uint_32(control + 8, (png_uint_32)part.height);
  png_save_uint_32(control + 12, (png_uint_32)part.left);
  png_save_uint_32(control + 16, (png_uint_32)part.top);
  png_save_uint_16(control + 20, (unsigned)milliseconds);
  png_save_uint_16(control + 22, 1000);
  png_write_chunk(e->png, (png_const_bytep) "fcTL", control, sizeof control);
}

// Compresses a part of a frame as a picture of its own, whose data chunks then get a number and another name.
static png_uint_32 write_later_frame(encoding *e, const cpng_image *image, int top, area part, png_uint_32 number) {
  e->later_out.size = 0;
  e->later = png_create_write_struct(PNG_LIBPNG_VER_STRING, e, on_error, on_warning);
  if (e->later != NULL) e->later_info = png_create_info_struct(e->later);
  if (e->later_info == NULL) png_error(e->png, "out of memory");
  begin_pixels(e, e->later, e->later_info, &e->later_out, part.width, part.height);
  png_write_info(e->later, e->later_info);
  for (int y = 0; y < part.height; y++) {
    write_row(e, e->later, pixel_row(image, top + part.top + y) + 4 * (size_t)part.left, part.width);
  }
  png_write_end(e->later, NULL);
  // After the signature each chunk is a length, a name, the data and a checksum.
  const uint8_t *bytes = e->later_out.bytes;
  for (size_t at = 8; at + 12 <= e->later_out.size;) {
    png_uint_32 length = png_get_uint_32(bytes + at);
    if (memcmp(bytes + at + 4, "IDAT", 4) == 0) {
      png_byte sequence[4];
      png_save_uint_32(sequence, number++);
      png_write_chunk_start(e->png, (png_const_bytep) "fdAT", length + 4);
      png_write_chunk_data(e->png, sequence, 4);
      png_write_chunk_data(e->png, bytes + at + 8, length);
      png_write_chunk_end(e->png);
    }
    at += 12 + (size_t)length;
  }
  png_destroy_write_struct(&e->later, &e->later_info);
  return number;
}

// Returns 0 when libpng gave up. The only function that libpng jumps back into; it changes no local variable then used.
static int write_file(
    encoding *e, const cpng_image *image, const cpng_text *texts, int text_count, double pixels_per_metre, int frames,
    int milliseconds) {
  if (setjmp(png_jmpbuf(e->png))) return 0;

  int height = image->height / frames;
  begin_pixels(e, e->png, e->info, e->out, image->width, height);
  png_set_sRGB_gAMA_and_cHRM(e->png, e->info, PNG_sRGB_INTENT_PERCEPTUAL);
  if (pixels_per_metre > 0 && pixels_per_metre < 1e6) {
    png_uint_32 density = (png_uint_32)(pixels_per_metre + 0.5);
    png_set_pHYs(e->png, e->info, density, density, PNG_RESOLUTION_METER);
  }
  set_texts(e, texts, text_count);

  png_write_info(e->png, e->info);
  png_uint_32 number = 0;
  if (frames > 1) {
    // The number of frames, and how often they play: for ever.
    png_byte control[8] = {0};
    png_save_uint_32(control, (png_uint_32)frames);
    png_write_chunk(e->png, (png_const_bytep) "acTL", control, sizeof control);
    write_frame_control(e, number++, (area){0, 0, image->width, height}, milliseconds);
  }
  for (int y = 0; y < height; y++) write_row(e, e->png, pixel_row(image, y), image->width);
  for (int frame = 1; frame < frames; frame++) {
    area part = changed_area(image, frame, height);
    write_frame_control(e, number++, part, milliseconds);
    number = write_later_frame(e, image, frame * height, part, number);
  }
  png_write_end(e->png, NULL);
  return 1;
}

cpng_status cpng_encode(
    const cpng_image *image, const cpng_text *texts, int text_count, double pixels_per_metre, cpng_buffer *out,
    char message[CPNG_MESSAGE_SIZE]) {
  return cpng_encode_animation(image, 1, 0, texts, text_count, pixels_per_metre, out, message);
}

cpng_status cpng_encode_animation(
    const cpng_image *image, int frames, int milliseconds, const cpng_text *texts, int text_count,
    double pixels_per_metre, cpng_buffer *out, char message[CPNG_MESSAGE_SIZE]) {
  *out = (cpng_buffer){0};
  message[0] = 0;
  cpng_status status = check(image, texts, text_count, message);
  if (status != CPNG_OK) return status;
  if (frames < 1 || image->height % frames != 0 || milliseconds < 0 || milliseconds > LONGEST_FRAME) {
    snprintf(
        message, CPNG_MESSAGE_SIZE, "%d frames of %d ms in %d rows: expected frames of equal height, 0 to %d ms each",
        frames, milliseconds, image->height, LONGEST_FRAME);
    return CPNG_INVALID;
  }

  encoding e = {.out = out, .message = message};
  palette_find(&e.palette, image);
  e.row = malloc(3 * (size_t)image->width);
  e.texts = calloc((size_t)text_count + 1, sizeof *e.texts);
  e.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &e, on_error, on_warning);
  if (e.png != NULL) e.info = png_create_info_struct(e.png);

  if (e.row == NULL || e.texts == NULL || e.info == NULL) {
    if (message[0] == 0) say(message, "out of memory");
    status = CPNG_OUT_OF_MEMORY;
  } else if (!write_file(&e, image, texts, text_count, pixels_per_metre, frames, milliseconds)) {
    status = CPNG_LIBPNG;
  }

  if (e.png != NULL) png_destroy_write_struct(&e.png, &e.info);
  if (e.later != NULL) png_destroy_write_struct(&e.later, &e.later_info);
  cpng_buffer_free(&e.later_out);
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
