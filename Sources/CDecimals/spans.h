#ifndef SPANS_H
#define SPANS_H

#include "decimal.h"

/// Many numbers whose places are known, four at a time with the instructions of AVX2, which x86-64 has since 2013; asked for
/// at run time. `WITHOUT_LANES` leaves them out, as other processors do.
#if defined(__x86_64__) && !defined(WITHOUT_LANES)
#define HAS_LANES 1
#include <immintrin.h>

#define LANES __attribute__((target("avx2,bmi,bmi2,popcnt")))

static inline bool has_lanes(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }

enum {
  /// Numbers whose places are found before they are read.
  SPANS = 64,
  /// Bytes that must be there from where something begins that is looked at, so that nobody looks beyond the end.
  ROOM = 128,
};

/// Where numbers stand, each with its sign in [start, stop).
typedef struct {
  const uint8_t *starts[SPANS];
  // With room for what is found beyond.
  const uint8_t *stops[SPANS + 64];
} spans;

/// Which rules numbers keep, and what an empty text is.
typedef enum {
  /// As JSON writes them.
  SPANS_JSON,
  /// As `strtof` reads them; NaN where there is none.
  SPANS_TABLE,
} spans_kind;

/// Reads `count` numbers, or as many as come before the first that is none or takes more than one product. Sixteen bytes
/// before the first are there, and `ROOM` from where the last one begins.
///
/// - values: with room for three more.
/// - Returns: how many were read.
size_t spans_read(const spans *spans, size_t count, spans_kind kind, float *values);

#endif
#endif
