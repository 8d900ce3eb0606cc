#include <png.h>
#include <stdio.h>
#include <string.h>

#include "CPNG.h"

enum { LARGEST_SIDE = 32767 };

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
