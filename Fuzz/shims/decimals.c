// Drives CDecimals with any bytes, in memory that ends where they end, and holds every number against strtof.

#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CDecimals.h"

static void stop(const char *words) {
  fprintf(stderr, "%s\n", words);
  abort();
}

/// Numbers that were held against strtof.
size_t compared = 0;

/// What stands at a place must be the number, up to `end` at most.
static void compare(const uint8_t *bytes, size_t start, size_t end, float value) {
  if (start > end) stop("a number beyond its bytes");
  size_t length = end - start;
  // All of it: a number may begin with any number of zeros.
  char *text = malloc(length + 1);
  if (text == NULL) return;
  memcpy(text, bytes + start, length);
  text[length] = 0;
  bool is_empty = length == 0 || text[0] == ',' || text[0] == '\n' || text[0] == '\r';
  char *rest;
  float expected = strtof(text, &rest);
  bool is_same = rest != text && memcmp(&expected, &value, sizeof value) == 0;
  free(text);
  compared++;
  if (!(isnan(value) && is_empty) && !is_same) stop("another number than strtof's");
}

enum { MOST = 40 };

static void row(const uint8_t *bytes, size_t size, size_t start, size_t fields) {
  float values[MOST];
  size_t offsets[MOST];
  for (size_t i = 0; i < fields; i++) offsets[i] = fields - 1 - i;
  size_t position = start;
  size_t read = cdecimals_row(bytes, size, &position, values, offsets, fields);
  if (read > fields || position > size || (read == 0 && position != start)) stop("a row beyond its bytes");
  for (size_t i = 0; i < read; i++) {
    compare(bytes, start, size, values[offsets[i]]);
    while (start < size && bytes[start] != ',' && bytes[start] != '\n' && bytes[start] != '\r') start++;
    start++;
  }
  if (read > 0 && start != position + (read == fields)) stop("a row that ends elsewhere");
}

static void list(const uint8_t *bytes, size_t size, size_t start, size_t capacity) {
  float values[MOST];
  bool is_closed;
  size_t position = start;
  size_t read = cdecimals_list(bytes, size, &position, values, capacity, &is_closed);
  if (read > capacity || position > size || (read == 0 && position != start)) stop("a list beyond its bytes");
  if (is_closed && bytes[position] != ']') stop("a list that is not closed");
  for (size_t i = 0; i < read; i++) {
    compare(bytes, start, size, values[i]);
    while (start < size && bytes[start] != ',' && bytes[start] != ']') start++;
    start++;
    while (start < size && strchr(" \n\r\t", bytes[start]) != NULL && bytes[start] != 0) start++;
  }
}

static void records(const uint8_t *bytes, size_t size, size_t start, size_t capacity) {
  const cdecimals_key keys[2] = {{{0x227822, 0}, {0xFFFFFF, 0}, 3}, {{0x227922, 0}, {0xFFFFFF, 0}, 3}};
  float values[2 * MOST];
  bool is_closed;
  size_t position = start;
  size_t read = cdecimals_records(bytes, size, &position, keys, 2, values, capacity, &is_closed);
  if (read > capacity || position > size || (read == 0 && position != start)) stop("objects beyond their bytes");
  if (is_closed && bytes[position] != ']') stop("a list of objects that is not closed");
  for (size_t i = 0; i < 2 * read; i++) {
    if (!isfinite(values[i])) stop("an object without a number");
  }
}

static void list_end(const uint8_t *bytes, size_t size, size_t start) {
  size_t end = start;
  while (end < size && bytes[end] != 0 && strchr("+,-./0123456789eE \n\r\t", bytes[end]) != NULL) end++;
  if (end < size && bytes[end] != ']') end = size;
  if (cdecimals_list_end(bytes, size, start) != end) stop("another end of a list");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  // With sixteen bytes before and many behind, so that short inputs too are read many bytes at a time; and as they are.
  size_t start = data[0] & 1 ? 16 : 0;
  size_t behind = data[0] & 2 ? 200 : 0;
  size_t most = 1 + data[1] % MOST;
  size_t length = start + size - 2 + behind;
  uint8_t *bytes = malloc(length > 0 ? length : 1);
  if (bytes == NULL) return 0;
  memset(bytes, '7', start);
  memcpy(bytes + start, data + 2, size - 2);
  memset(bytes + start + size - 2, ' ', behind);
  row(bytes, length, start, most);
  list(bytes, length, start, most);
  records(bytes, length, start, most);
  list_end(bytes, length, start);
  size_t commas = 0;
  bool is_ascii = true;
  for (size_t i = 0; i < length; i++) {
    commas += bytes[i] == ',';
    is_ascii = is_ascii && bytes[i] < 0x80 && bytes[i] != '"' && bytes[i] != 0 && bytes[i] != '\r';
  }
  if (cdecimals_count(bytes, length, ',') != commas) stop("another count");
  if (cdecimals_is_ascii(bytes, length, '"', 0, '\r') != is_ascii) stop("another kind of text");
  free(bytes);
  return 0;
}
