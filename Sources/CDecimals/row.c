#include "CDecimals.h"
#include "spans.h"

#if HAS_LANES

/// Finds where fields end, for 64 bytes at once, so that no number waits for the one before.
typedef struct {
  /// How many fields end.
  size_t count;
  /// The first of them that does not end with a comma; `count` where all do.
  size_t other;
} found;

LANES static inline uint64_t mask(__m256i low, __m256i high) {
  return (uint32_t)_mm256_movemask_epi8(low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/// The ends of `wanted` fields from a place on, or of as many as there are up to the first that is no comma or to where the
/// bytes end.
LANES static inline found find(const uint8_t *place, const uint8_t *end, size_t wanted, const uint8_t **stops) {
  size_t count = 0;
  for (; count < wanted && end - place >= ROOM; place += 64) {
    __m256i low = _mm256_loadu_si256((const __m256i *)place);
    __m256i high = _mm256_loadu_si256((const __m256i *)(place + 32));
    // Bytes below '-', among them all that end a field.
    const __m256i minus = _mm256_set1_epi8('-');
    const __m256i comma = _mm256_set1_epi8(',');
    uint64_t bits = mask(_mm256_cmpgt_epi8(minus, low), _mm256_cmpgt_epi8(minus, high));
    uint64_t others = bits & ~mask(_mm256_cmpeq_epi8(low, comma), _mm256_cmpeq_epi8(high, comma));
    size_t ends = (size_t)_mm_popcnt_u64(bits);
    size_t before = (size_t)_mm_popcnt_u64(bits & (_blsi_u64(others) - 1));
    // So many that there are hardly ever more; those that are too many are overwritten.
    const uint8_t **next = stops + count;
    for (int i = 0; i < 10; i++, bits = _blsr_u64(bits)) next[i] = place + _tzcnt_u64(bits);
    for (size_t i = 10; i < ends; i++, bits = _blsr_u64(bits)) next[i] = place + _tzcnt_u64(bits);
    if (others != 0) {
      size_t other = count + before;
      return other < wanted ? (found){other + 1, other} : (found){wanted, wanted};
    }
    count += ends;
  }
  if (count > wanted) count = wanted;
  return (found){count, count};
}

/// Whether a line ends at a place behind which there are bytes.
static inline bool is_line_end(const uint8_t *place) { return *place == '\n' || (*place == '\r' && place[1] == '\n'); }

LANES static size_t row(const uint8_t *bytes, size_t count, size_t *position, float *target, const size_t *offsets,
                        size_t fields) {
  spans spans;
  float values[SPANS + 3];
  const uint8_t *start = bytes + *position;
  size_t done = 0;
  if (*position < 16) return 0;
  while (done < fields) {
    size_t wanted = fields - done < SPANS ? fields - done : SPANS;
    found found = find(start, bytes + count, wanted, spans.stops);
    size_t complete = found.count;
    // The last field may end the line.
    if (found.other < found.count && (done + found.count < fields || !is_line_end(spans.stops[found.other]))) complete--;
    for (size_t i = 0; i < complete; i++) {
      spans.starts[i] = start;
      start = spans.stops[i] + 1;
    }
    size_t usual = spans_read(&spans, complete, SPANS_TABLE, values);
    for (size_t i = 0; i < usual; i++) target[offsets[done + i]] = values[i];
    done += usual;
    if (usual < wanted) {
      *position = (size_t)((usual < complete ? spans.starts[usual] : start) - bytes);
      return done;
    }
  }
  *position = (size_t)(start - 1 - bytes);
  return done;
}

#endif

size_t cdecimals_row(const uint8_t *bytes, size_t count, size_t *position, float *target, const size_t *offsets,
                     size_t fields) {
#if HAS_LANES
  if (fields > 0 && *position <= count && has_lanes()) return row(bytes, count, position, target, offsets, fields);
#endif
  return 0;
}
