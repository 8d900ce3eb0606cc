#ifndef CPNG_H
#define CPNG_H

#include <stddef.h>
#include <stdint.h>

/// Room that a caller gives for an error's words, with the closing NUL.
#define CPNG_MESSAGE_SIZE 256

/// What an encoding came to.
typedef enum {
  CPNG_OK = 0,
  /// A size, a stride or a text key that a PNG cannot hold.
  CPNG_INVALID = 1,
  CPNG_OUT_OF_MEMORY = 2,
  /// libpng gave up; the message is its own.
  CPNG_LIBPNG = 3,
} cpng_status;

/// A picture in memory: 32 bits a pixel, blue green red unused in rising addresses (Cairo's FORMAT_RGB24 on a
/// little-endian machine), rows `stride` bytes apart from the top down.
typedef struct {
  const uint8_t *bgrx;
  int width;
  int height;
  int stride;
} cpng_image;

/// One text chunk: the keyword (1 to 79 printable ASCII characters) and its UTF-8 value. An ASCII value is written as
/// tEXt, any other as iTXt (PNG specification, third edition, 11.3.3).
typedef struct {
  const char *key;
  const char *value;
} cpng_text;

/// The bytes of an encoded file. Give them back with `cpng_buffer_free`.
typedef struct {
  uint8_t *bytes;
  size_t size;
  size_t capacity;
} cpng_buffer;

/// Encodes `image` as a PNG file with the sRGB chunk and the texts, and no time, so that equal input gives equal bytes.
///
/// A picture of at most 256 colours is written with a palette, exactly. One with more is written with a palette too where
/// 256 colours do if the shades of anti-aliased edges may change by at most `CPNG_TOLERANCE` levels (of 255) in red, green
/// and blue; sixteen neighbours in a row that have the same colour, and all that have it, keep it. Any other picture is
/// written in true colour, exactly.
///
/// `pixels_per_metre` is written as pHYs when above 0. On failure `out` is left empty and `message` says why.
cpng_status cpng_encode(
    const cpng_image *image, const cpng_text *texts, int text_count, double pixels_per_metre, cpng_buffer *out,
    char message[CPNG_MESSAGE_SIZE]);

/// Encodes an animation: `frames` pictures of equal height, one below the other in `image`, each shown for so many
/// milliseconds, for ever. One palette serves all of them, by the rules of `cpng_encode`. A program that knows no
/// animations shows the first.
///
/// PNG specification, third edition, 4.9 and 11.3.6 (APNG).
cpng_status cpng_encode_animation(
    const cpng_image *image, int frames, int milliseconds, const cpng_text *texts, int text_count,
    double pixels_per_metre, cpng_buffer *out, char message[CPNG_MESSAGE_SIZE]);

/// The greatest change of a colour channel, in levels of 255, that a palette may make.
#define CPNG_TOLERANCE 8

void cpng_buffer_free(cpng_buffer *buffer);

/// Reads the size of a PNG file that is in memory.
cpng_status cpng_read_size(
    const uint8_t *bytes, size_t size, int *width, int *height, char message[CPNG_MESSAGE_SIZE]);

/// Reads the pixels of a PNG file that is in memory into `rgb`, which has room for 3 bytes a pixel: red, green, blue from
/// the top left, transparency on white.
cpng_status cpng_read_pixels(
    const uint8_t *bytes, size_t size, uint8_t *rgb, size_t room, char message[CPNG_MESSAGE_SIZE]);

#endif
