#include "CDecimals.h"
#include "spans.h"

#if HAS_LANES

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

/// Takes white space; false where too few bytes are left behind it.
static inline bool take_space(const uint8_t **place, const uint8_t *end) {
  const uint8_t *p = *place;
  while (end - p >= ROOM && is_space(*p)) p++;
  if (end - p < ROOM) return false;
  *place = p;
  return true;
}

/// What stood between two numbers and is expected between others, so that it need not be read again.
typedef struct {
  uint8_t bytes[64];
  uint64_t mask;
  size_t count;
} gap;

/// Remembers [start, stop); false where it is too long.
static bool learn(gap *gap, const uint8_t *start, const uint8_t *stop) {
  gap->count = (size_t)(stop - start);
  if (gap->count > sizeof gap->bytes) return false;
  memcpy(gap->bytes, start, gap->count);
  gap->mask = gap->count == 0 ? 0 : UINT64_MAX >> (64 - gap->count);
  return true;
}

/// Which of 32 bytes differ.
LANES static inline uint32_t differ(const uint8_t *a, const uint8_t *b) {
  __m256i are_same =
      _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)a), _mm256_loadu_si256((const __m256i *)b));
  return ~(uint32_t)_mm256_movemask_epi8(are_same);
}

/// Takes what is expected; `ROOM` bytes are there.
LANES static inline bool take_gap(const uint8_t **place, const gap *gap) {
  if (differ(*place, gap->bytes) & (uint32_t)gap->mask) return false;
  if (gap->count > 32 && (differ(*place + 32, gap->bytes + 32) & (uint32_t)(gap->mask >> 32))) return false;
  *place += gap->count;
  return true;
}

/// Where the number ends that begins at a place, if it is one: at a comma, a closing bracket or white space. NULL where it
/// has 32 bytes or more.
LANES static inline const uint8_t *number_end(const uint8_t *start) {
  __m256i text = _mm256_loadu_si256((const __m256i *)start);
  __m256i is_low = _mm256_cmpgt_epi8(_mm256_set1_epi8('+'), text);
  __m256i is_comma = _mm256_cmpeq_epi8(text, _mm256_set1_epi8(','));
  __m256i is_bracket = _mm256_cmpeq_epi8(_mm256_or_si256(text, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('}'));
  uint32_t ends = (uint32_t)_mm256_movemask_epi8(_mm256_or_si256(_mm256_or_si256(is_low, is_comma), is_bracket));
  return ends == 0 ? NULL : start + __builtin_ctz(ends);
}

/// Takes what stands between two values, or finds that their list is closed.
static inline bool take_between(const uint8_t **place, const uint8_t *end, bool *is_closed) {
  const uint8_t *p = *place;
  if (!take_space(&p, end)) return false;
  *is_closed = *p == ']';
  if (!*is_closed) {
    if (*p++ != ',' || !take_space(&p, end)) return false;
  }
  *place = p;
  return true;
}

LANES static size_t list(const uint8_t *bytes, size_t count, size_t *position, float *values, size_t capacity,
                         bool *is_closed) {
  spans spans;
  gap gap;
  bool is_known = false;
  const uint8_t *start = bytes + *position;
  const uint8_t *end = bytes + count;
  size_t done = 0;
  if (*position < 16) return 0;
  while (done < capacity && !*is_closed) {
    size_t room = capacity - done < SPANS ? capacity - done : SPANS;
    size_t found = 0;
    while (found < room && !*is_closed && end - start >= ROOM) {
      const uint8_t *stop = number_end(start);
      if (stop == NULL || end - stop < ROOM) break;
      const uint8_t *next = stop;
      if (!is_known || !take_gap(&next, &gap)) {
        if (!take_between(&next, end, is_closed)) break;
        is_known = !*is_closed && learn(&gap, stop, next);
      }
      spans.starts[found] = start;
      spans.stops[found++] = stop;
      start = next;
    }
    size_t usual = spans_read(&spans, found, SPANS_JSON, values + done);
    done += usual;
    if (usual < found) {
      start = spans.starts[usual];
      *is_closed = false;
    }
    if (usual < room) break;
  }
  *position = (size_t)(start - bytes);
  return done;
}

/// Whether a byte may go on a number.
static inline bool goes_on(uint8_t byte) {
  return (uint8_t)(byte - '0') <= 9 || byte == '.' || byte == '-' || byte == '+' || (byte | 0x20) == 'e';
}

/// Takes a number that nobody asked for.
static bool take_number(const uint8_t **place, const uint8_t *end) {
  const uint8_t *first = *place + (**place == '-');
  const uint8_t *p = first;
  float value;
  while (end - p >= ROOM && goes_on(*p)) p++;
  // A digit before and one behind the point, and no zero before others.
  const uint8_t *point = first;
  while (point < p && (uint8_t)(*point - '0') <= 9) point++;
  bool is_open = point == first || (*point == '.' && (uint8_t)(point[1] - '0') > 9) || (*first == '0' && point > first + 1);
  if (end - p < ROOM || is_open || !decimal_long(first, p, false, &value)) return false;
  *place = p;
  return true;
}

/// Takes a text of printable ASCII without escapes.
static bool take_text(const uint8_t **place, const uint8_t *end) {
  const uint8_t *p = *place;
  if (*p != '"') return false;
  p++;
  while (end - p >= ROOM && *p >= ' ' && *p < 0x7F && *p != '"' && *p != '\\') p++;
  if (end - p < ROOM || *p != '"') return false;
  *place = p + 1;
  return true;
}

/// Takes the colon after a key, and the white space around it.
static bool take_colon(const uint8_t **place, const uint8_t *end) {
  const uint8_t *p = *place;
  if (!take_space(&p, end) || *p != ':') return false;
  p++;
  if (!take_space(&p, end)) return false;
  *place = p;
  return true;
}

static bool take_key(const uint8_t **place, const uint8_t *end, const cdecimals_key *key) {
  uint64_t words[2];
  memcpy(words, *place, sizeof words);
  if (((words[0] ^ key->words[0]) & key->masks[0]) | ((words[1] ^ key->words[1]) & key->masks[1])) return false;
  const uint8_t *p = *place + key->count;
  if (!take_colon(&p, end)) return false;
  *place = p;
  return true;
}

/// Takes a member of an object that nobody asked for, whose value is a plain text or number.
static bool take_other(const uint8_t **place, const uint8_t *end) {
  const uint8_t *p = *place;
  if (!take_text(&p, end) || !take_colon(&p, end) || !(*p == '"' ? take_text(&p, end) : take_number(&p, end))) return false;
  *place = p;
  return true;
}

/// What objects look like of which the last one is known.
typedef struct {
  /// What stands before each number, and which of the keys it has.
  gap before[8];
  size_t keys[8];
  /// What stands between the last number and the next object.
  gap behind;
  bool is_known;
  bool is_behind_known;
} layout;

/// Finds the numbers of an object that looks like the last one, to the place behind the last of them.
LANES static inline bool follow(const uint8_t **place, const uint8_t *end, const layout *layout, size_t key_count,
                                const uint8_t **starts, const uint8_t **stops) {
  const uint8_t *p = *place;
  for (size_t i = 0; i < key_count; i++) {
    if (end - p < ROOM || !take_gap(&p, &layout->before[i])) return false;
    const uint8_t *stop = number_end(p);
    if (stop == NULL) return false;
    starts[layout->keys[i]] = p;
    stops[layout->keys[i]] = stop;
    p = stop;
  }
  if (end - p < ROOM) return false;
  *place = p;
  return true;
}

/// Finds the numbers of an object, to the place behind it, and remembers what it looks like.
LANES static bool take_record(const uint8_t **place, const uint8_t *end, const cdecimals_key *keys, size_t key_count,
                              layout *layout, const uint8_t **starts, const uint8_t **stops, const uint8_t **last) {
  const uint8_t *p = *place;
  const uint8_t *gap = p;
  layout->is_known = true;
  layout->is_behind_known = false;
  if (*p != '{') return false;
  unsigned seen = 0;
  size_t found = 0;
  do {
    p++;
    if (!take_space(&p, end)) return false;
    size_t key = 0;
    while (key < key_count && !take_key(&p, end, &keys[key])) key++;
    if (key < key_count) {
      const uint8_t *stop = number_end(p);
      // A key that comes again is the caller's to judge.
      if (stop == NULL || (seen >> key & 1)) return false;
      seen |= 1u << key;
      layout->keys[found] = key;
      layout->is_known = learn(&layout->before[found++], gap, p) && layout->is_known;
      starts[key] = p;
      stops[key] = stop;
      gap = p = *last = stop;
    } else if (!take_other(&p, end)) {
      return false;
    }
    if (!take_space(&p, end)) return false;
  } while (*p == ',');
  if (*p != '}' || found != key_count) return false;
  *place = p + 1;
  return true;
}

/// Takes what stands between the last number of an object that looks like the last one and the next object.
static bool take_behind(const uint8_t **place, const uint8_t *end, bool *is_closed) {
  const uint8_t *p = *place;
  if (!take_space(&p, end) || *p != '}') return false;
  p++;
  if (!take_between(&p, end, is_closed)) return false;
  *place = p;
  return true;
}

LANES static size_t records(const uint8_t *bytes, size_t count, size_t *position, const cdecimals_key *keys,
                            size_t key_count, float *values, size_t capacity, bool *is_closed) {
  spans spans;
  const uint8_t *objects[SPANS];
  layout layout;
  layout.is_known = false;
  const uint8_t *object = bytes + *position;
  const uint8_t *end = bytes + count;
  size_t done = 0;
  if (*position < 16) return 0;
  while (done < capacity && !*is_closed) {
    size_t room = capacity - done < SPANS / key_count ? capacity - done : SPANS / key_count;
    size_t found = 0;
    while (found < room && !*is_closed && end - object >= ROOM) {
      const uint8_t **starts = spans.starts + found * key_count;
      const uint8_t **stops = spans.stops + found * key_count;
      const uint8_t *next = object;
      if (layout.is_known && follow(&next, end, &layout, key_count, starts, stops)) {
        if (!layout.is_behind_known || !take_gap(&next, &layout.behind)) {
          if (!take_behind(&next, end, is_closed)) {
            layout.is_known = false;
            continue;
          }
        }
      } else {
        const uint8_t *last = object;
        if (!take_record(&next, end, keys, key_count, &layout, starts, stops, &last)) break;
        if (!take_between(&next, end, is_closed)) break;
        layout.is_behind_known = !*is_closed && learn(&layout.behind, last, next);
      }
      objects[found++] = object;
      object = next;
    }
    size_t usual = spans_read(&spans, found * key_count, SPANS_JSON, values + done * key_count) / key_count;
    done += usual;
    if (usual < found) {
      object = objects[usual];
      *is_closed = false;
    }
    if (usual < room) break;
  }
  *position = (size_t)(object - bytes);
  return done;
}

#endif

size_t cdecimals_list(const uint8_t *bytes, size_t count, size_t *position, float *values, size_t capacity,
                      bool *isClosed) {
  *isClosed = false;
#if HAS_LANES
  if (*position <= count && has_lanes()) return list(bytes, count, position, values, capacity, isClosed);
#endif
  return 0;
}

size_t cdecimals_records(const uint8_t *bytes, size_t count, size_t *position, const cdecimals_key *keys,
                         size_t key_count, float *values, size_t capacity, bool *isClosed) {
  *isClosed = false;
#if HAS_LANES
  if (*position <= count && has_lanes()) {
    return records(bytes, count, position, keys, key_count, values, capacity, isClosed);
  }
#endif
  return 0;
}
