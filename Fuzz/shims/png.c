// Drives CPNG with pictures and texts made from any bytes, and reads back with libpng what it writes.

#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CPNG.h"

static void stop(const char *words) {
  fprintf(stderr, "%s\n", words);
  abort();
}

static int is_near(uint8_t a, uint8_t b) { return abs((int)a - (int)b) <= CPNG_TOLERANCE; }

static void compare(const cpng_image *image, const cpng_buffer *file) {
  png_image read = {.version = PNG_IMAGE_VERSION};
  if (!png_image_begin_read_from_memory(&read, file->bytes, file->size)) stop(read.message);
  if ((int)read.width != image->width || (int)read.height != image->height) stop("another size");
  read.format = PNG_FORMAT_BGR;
  uint8_t *pixels = malloc(PNG_IMAGE_SIZE(read));
  if (pixels == NULL || !png_image_finish_read(&read, NULL, pixels, 0, NULL)) stop(read.message);
  for (int y = 0; y < image->height; y++) {
    int run = 0;
    for (int x = 0; x < image->width; x++) {
      const uint8_t *before = image->bgrx + (size_t)y * (size_t)image->stride + 4 * (size_t)x;
      const uint8_t *after = pixels + 3 * ((size_t)y * (size_t)image->width + (size_t)x);
      run = x > 0 && memcmp(before - 4, before, 3) == 0 ? run + 1 : 1;
      for (int c = 0; c < 3; c++) {
        if (!is_near(before[c], after[c])) stop("another colour");
        if (run >= 24 && before[c] != after[c]) stop("an area of another colour");
      }
    }
  }
  free(pixels);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 6) return 0;
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
  // Two keys and two values, each to the next NUL.
  char text[4][100] = {"", "", "", ""};
  size_t place = 6;
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
  cpng_status status = cpng_encode(&image, texts, bytes[5] % 3, bytes[5] * 100.0, &file, message);
  if (status == CPNG_OK) compare(&image, &file);
  if (status != CPNG_OK && (file.bytes != NULL || message[0] == 0)) stop("a failure with a file or without words");
  cpng_buffer_free(&file);
  free(pixels);
  return 0;
}
