// Drives CPNG with pictures, animations and texts made from any bytes, and reads back with libpng what it writes.

#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "CPNG.h"

static void stop(const char *words) {
  fprintf(stderr, "%s\n", words);
  abort();
}

static int is_near(uint8_t a, uint8_t b) { return abs((int)a - (int)b) <= CPNG_TOLERANCE; }

// Compares the rows from `top` with as many of `pixels`, 3 bytes each.
static void compare(const cpng_image *image, int top, int height, const uint8_t *pixels) {
  for (int y = 0; y < height; y++) {
    int run = 0;
    for (int x = 0; x < image->width; x++) {
      const uint8_t *before = image->bgrx + (size_t)(top + y) * (size_t)image->stride + 4 * (size_t)x;
      const uint8_t *after = pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
      run = x > 0 && memcmp(before - 4, before, 3) == 0 ? run + 1 : 1;
      for (int c = 0; c < 3; c++) {
        if (!is_near(before[c], after[c])) stop("another colour");
        if (run >= 24 && before[c] != after[c]) stop("an area of another colour");
      }
    }
  }
}

// The pixels of a PNG file of an expected size.
static uint8_t *read_pixels(const uint8_t *bytes, size_t size, uint32_t width, uint32_t height) {
  png_image read = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&read, bytes, size)) stop(read.message);
  if (read.width != width || read.height != height) stop("another size");
  read.format = PNG_FORMAT_BGR;
  uint8_t *pixels = malloc(PNG_IMAGE_SIZE(read));
  if (pixels == NULL || !png_image_finish_read(&read, NULL, pixels, 0, NULL)) stop(read.message);
  return pixels;
}

static void put(cpng_buffer *file, const char *name, const uint8_t *bytes, uint32_t size) {
  uint8_t *at = file->bytes + file->size;
  png_save_uint_32(at, size);
  memcpy(at + 4, name, 4);
  if (size > 0) memcpy(at + 8, bytes, size);
  png_save_uint_32(at + 8 + size, (uint32_t)crc32(0, at + 4, size + 4));
  file->size += 12 + (size_t)size;
}

// Plays a file as PNG's specification says, and compares each frame: a later one is a part over the one before.
static void play(const cpng_image *image, int frames, const cpng_buffer *file) {
  int height = image->height / frames, frame = 0;
  uint8_t *shown = read_pixels(file->bytes, file->size, (uint32_t)image->width, (uint32_t)height);
  compare(image, 0, height, shown);
  cpng_buffer part = {.bytes = malloc(file->size + 100)};
  if (part.bytes == NULL) stop("no memory");
  const uint8_t *header = file->bytes + 16, *palette = NULL, *control = NULL;
  uint32_t palette_size = 0, number = 0;
  for (size_t at = 8; at + 12 <= file->size;) {
    const uint8_t *name = file->bytes + at + 4, *data = name + 4;
    uint32_t size = png_get_uint_32(file->bytes + at);
    if (memcmp(name, "PLTE", 4) == 0) palette = data, palette_size = size;
    int is_control = memcmp(name, "fcTL", 4) == 0, is_data = memcmp(name, "fdAT", 4) == 0;
    if ((is_control || is_data) && png_get_uint_32(data) != number++) stop("frames out of order");
    // The next frame or the end completes one, which is then a file of its own.
    if ((is_control || memcmp(name, "IEND", 4) == 0) && frame > 1) {
      put(&part, "IEND", NULL, 0);
      uint32_t wide = png_get_uint_32(control + 4), high = png_get_uint_32(control + 8);
      uint32_t left = png_get_uint_32(control + 12), top = png_get_uint_32(control + 16);
      if (left + wide > (uint32_t)image->width || top + high > (uint32_t)height) stop("a part outside");
      uint8_t *pixels = read_pixels(part.bytes, part.size, wide, high);
      for (uint32_t y = 0; y < high; y++) {
        memcpy(shown + 3 * ((size_t)(top + y) * (size_t)image->width + left), pixels + 3 * (size_t)y * wide, 3 * (size_t)wide);
      }
      free(pixels);
      compare(image, (frame - 1) * height, height, shown);
    }
    if (is_control) {
      control = data;
      frame++;
      uint8_t own[13];
      memcpy(own, control + 4, 8);
      memcpy(own + 8, header + 8, 5);
      memcpy(part.bytes, file->bytes, 8);
      part.size = 8;
      put(&part, "IHDR", own, sizeof own);
      if (palette != NULL) put(&part, "PLTE", palette, palette_size);
    }
    if (is_data) put(&part, "IDAT", data + 4, size - 4);
    at += 12 + (size_t)size;
  }
  if (frames > 1 && frame != frames) stop("another number of frames");
  free(part.bytes);
  free(shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 7) return 0;
  // Sides from −2 to 253 and rows with up to 7 bytes between them; strides that are too short too.
  int width = bytes[0] - 2;
  int height = bytes[1] - 2;
  int stride = 4 * (width > 0 ? width : 0) + (bytes[2] & 15) - 8;
  size_t room = width > 0 && height > 0 && stride > 0 ? (size_t)stride * (size_t)height : 0;
  // No more than the picture needs, so that a read beyond its end is seen.
  uint8_t *pixels = malloc(room > 0 ? room : 1);
  if (pixels == NULL) return 0;
  uint32_t noise = bytes[3];
  for (size_t i = 0; i < room; i++) {
    noise = noise * 1664525 + 1013904223;
    // Few colours for a palette, or many.
    pixels[i] = bytes[i % size] ^ (uint8_t)((noise >> 24) & bytes[4]);
  }
  // One picture, or up to 14 frames of whose number the height may be no multiple. One row in eight, right of some
  // column, differs from the frame before.
  int frames = bytes[6] % 16 - 1, high = frames > 1 && stride >= 4 * width ? height / frames : 0;
  for (int y = high; room > 0 && high > 0 && y < height; y++) {
    int same = y % 8 == bytes[3] % 8 ? width * (bytes[2] >> 4) / 16 : width;
    memcpy(pixels + (size_t)y * (size_t)stride, pixels + (size_t)(y - high) * (size_t)stride, 4 * (size_t)same);
  }
  // Two keys and two values, each to the next NUL.
  char text[4][100] = {"", "", "", ""};
  size_t place = 7;
  for (int i = 0; i < 4; i++) {
    size_t length = 0;
    while (place < size && bytes[place] != 0 && length < sizeof text[i] - 1) text[i][length++] = (char)bytes[place++];
    text[i][length] = 0;
    place++;
  }
  const cpng_text texts[2] = {{text[0], text[1]}, {text[2], text[3]}};
  const cpng_image image = {pixels, width, height, stride};
  cpng_buffer file = {0};
  char message[CPNG_MESSAGE_SIZE] = "";
  cpng_status status = frames == 1
    ? cpng_encode(&image, texts, bytes[5] % 3, bytes[5] * 100.0, &file, message)
    : cpng_encode_animation(&image, frames, bytes[6] * 400 - 400, texts, bytes[5] % 3, bytes[5] * 100.0, &file, message);
  if (status == CPNG_OK) play(&image, frames, &file);
  if (status != CPNG_OK && (file.bytes != NULL || message[0] == 0)) stop("a failure with a file or without words");
  cpng_buffer_free(&file);
  free(pixels);
  return 0;
}
