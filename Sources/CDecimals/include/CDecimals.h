#ifndef CDECIMALS_H
#define CDECIMALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Reads the usual numbers of tables and JSON many at a time: decimals whose nearest float one multiplication finds.
///
/// Whatever is not usual is left to the caller, who goes on behind it: a function stops before the first thing that it does
/// not know for sure, and says how far it came. What it reads is what `strtof` gives. Nothing is read outside the bytes, and
/// nothing needs to follow them. On processors without AVX2 all numbers are left to the caller.

/// Fields of a table's row, separated by commas, the last of which may end the line. An empty field is NaN.
///
/// - position: of the first field. Afterwards that of the first field that was not read, or of the byte after the last.
/// - offsets: where in `target` each field's number goes.
/// - Returns: how many of `fields` were read.
size_t cdecimals_row(const uint8_t *bytes, size_t count, size_t *position, float *target, const size_t *offsets,
                     size_t fields);

/// Numbers of a JSON list up to its `]`.
///
/// - position: of the first number. Afterwards that of the next, or of the `]`.
/// - is_closed: whether the `]` follows.
/// - Returns: how many were read, at most `capacity`.
size_t cdecimals_list(const uint8_t *bytes, size_t count, size_t *position, float *values, size_t capacity,
                      bool *is_closed);

/// Finds the `]` that ends a list in which there is nothing but what numbers, commas and white space are made of. Whether
/// these are numbers is not looked at.
///
/// - Returns: its place, or `count` where there is anything else, or none.
size_t cdecimals_list_end(const uint8_t *bytes, size_t count, size_t position);

/// A key of a JSON object in its quotation marks: at most 16 bytes, of which those in `masks` count.
typedef struct {
  uint64_t words[2];
  uint64_t masks[2];
  size_t count;
} cdecimals_key;

/// Objects of a JSON list that have all of at most eight keys, each once and with a number; what else they have is plain
/// texts or numbers.
///
/// - position: of the first object. Afterwards that of the next, or of the `]`.
/// - values: for each object as many as keys, in their order.
/// - is_closed: whether the `]` follows.
/// - Returns: how many objects were read, at most `capacity`.
size_t cdecimals_records(const uint8_t *bytes, size_t count, size_t *position, const cdecimals_key *keys,
                         size_t key_count, float *values, size_t capacity, bool *is_closed);

/// How many of the bytes are `byte`.
size_t cdecimals_count(const uint8_t *bytes, size_t count, uint8_t byte);

/// Whether all bytes are ASCII, and none of them is one of these.
bool cdecimals_is_ascii(const uint8_t *bytes, size_t count, uint8_t first, uint8_t second, uint8_t third);

#endif
