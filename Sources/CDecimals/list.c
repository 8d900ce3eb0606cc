#include "CDecimals.h"
#include "sixteen.h"

#if HAS_SIXTEEN

/// Bytes that must be left where something short begins, so that nobody looks beyond the end.
enum { ROOM = 64 };

/// Out of line, as loops within the one over numbers cost it its registers.
#define APART __attribute__((noinline))

APART static bool take_spaces(const uint8_t **place, const uint8_t *end) {
  const uint8_t *p = *place;
  while (end - p >= ROOM && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) p++;
  if (end - p < ROOM) return false;
  *place = p;
  return true;
}

/// Takes white space, mostly none or one; false where too few bytes are left behind it.
static inline bool take_space(const uint8_t **place, const uint8_t *end) {
  const uint8_t *p = *place;
  if (end - p < ROOM + 1) return false;
  if (*p > ' ') return true;
  if (*p == ' ' && p[1] > ' ') {
    *place = p + 1;
    return true;
  }
  return take_spaces(place, end);
}

/// Whether a byte may go on a number.
static inline bool goes_on(uint8_t byte) {
  return (uint8_t)(byte - '0') <= 9 || byte == '.' || byte == '-' || byte == '+' || (byte | 0x20) == 'e';
}

/// A number of more than 15 bytes, or with an exponent, as JSON writes it.
APART static bool take_long(const uint8_t **place, const uint8_t *first, const uint8_t *end, bool is_negative, float *value) {
  const uint8_t *p = first;
  while (end - p >= ROOM && goes_on(*p)) p++;
  // A digit before and one behind the point.
  const uint8_t *point = first;
  while (point < p && (uint8_t)(*point - '0') <= 9) point++;
  bool is_open = point == first || (*point == '.' && (uint8_t)(point[1] - '0') > 9);
  if (end - p < ROOM || is_open || !decimal_long(first, p, is_negative, value)) return false;
  *place = p;
  return true;
}

/// The number that makes up [start, stop), as JSON writes it.
SIXTEEN static inline bool number(const uint8_t *start, const uint8_t *stop, const uint8_t *end, float *value) {
  bool is_negative = *start == '-';
  const uint8_t *first = start + is_negative;
  size_t length = (size_t)(stop - first);
  // A digit comes first, and no zero before others.
  bool is_open = (uint8_t)(*first - '0') > 9 || (*first == '0' && length > 1 && first[1] != '.');
  if (length - 1 < 15 && !is_open && sixteen_decimal(stop, length, is_negative, value)) return true;
  const uint8_t *place = start;
  return !(*first == '0' && (uint8_t)(first[1] - '0') <= 9) && take_long(&place, first, end, is_negative, value) &&
         place == stop;
}

/// Where values, lists and objects may end: a bit for each of 64 bytes that is a comma or a closing bracket of either kind.
SIXTEEN static inline uint64_t ends(const uint8_t *bytes) {
  uint64_t bits = 0;
  for (int i = 0; i < 4; i++) {
    __m128i text = sixteen_load(bytes + 16 * i);
    __m128i is_comma = _mm_cmpeq_epi8(text, _mm_set1_epi8(','));
    __m128i is_bracket = _mm_cmpeq_epi8(_mm_or_si128(text, _mm_set1_epi8(0x20)), _mm_set1_epi8('}'));
    bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_or_si128(is_comma, is_bracket)) << 16 * i;
  }
  return bits;
}

/// Finds the ends of values for 64 bytes at once, so that no number waits for the one before.
typedef struct {
  const uint8_t *block;
  const uint8_t *end;
  uint64_t bits;
} scan;

/// The first end from a place on, which lies beyond all that were asked for before; NULL near the end of the bytes.
SIXTEEN static inline const uint8_t *next_end(scan *scan, const uint8_t *start) {
  while (true) {
    for (; scan->bits != 0; scan->bits &= scan->bits - 1) {
      const uint8_t *stop = scan->block + __builtin_ctzll(scan->bits);
      if (stop >= start) return stop;
    }
    scan->block = start > scan->block + 64 ? start : scan->block + 64;
    if (scan->end - scan->block < 2 * ROOM) return NULL;
    scan->bits = ends(scan->block);
  }
}

SIXTEEN static size_t list(const uint8_t *bytes, size_t count, size_t *position, float *values, size_t capacity,
                           bool *isClosed) {
  const uint8_t *start = bytes + *position;
  const uint8_t *end = bytes + count;
  size_t done = 0;
  if (*position < 16 || end - start < 2 * ROOM) return 0;
  scan scan = {start, end, ends(start)};
  while (done < capacity && !*isClosed) {
    const uint8_t *stop = next_end(&scan, start);
    if (stop == NULL || *stop == '}' || !number(start, stop, end, &values[done])) break;
    const uint8_t *next = stop;
    if (*stop == ']') {
      *isClosed = true;
    } else {
      next++;
      if (!take_space(&next, end)) break;
    }
    start = next;
    done++;
  }
  *position = (size_t)(start - bytes);
  return done;
}

/// Takes a key with its colon.
static inline bool take_key(const uint8_t **place, const uint8_t *end, const cdecimals_key *key) {
  uint64_t words[2];
  memcpy(words, *place, sizeof words);
  if (((words[0] ^ key->words[0]) & key->masks[0]) | ((words[1] ^ key->words[1]) & key->masks[1])) return false;
  const uint8_t *p = *place + key->count;
  if (!take_space(&p, end) || *p != ':') return false;
  p++;
  if (!take_space(&p, end)) return false;
  *place = p;
  return true;
}

/// Takes a text of printable ASCII without escapes.
APART static bool take_text(const uint8_t **place, const uint8_t *end) {
  const uint8_t *p = *place;
  if (*p != '"') return false;
  p++;
  while (end - p >= ROOM && *p >= ' ' && *p < 0x7F && *p != '"' && *p != '\\') p++;
  if (end - p < ROOM || *p != '"') return false;
  *place = p + 1;
  return true;
}

/// Takes a member of an object that nobody asked for, whose value is a plain text or number.
APART static bool take_other(const uint8_t **place, const uint8_t *end) {
  const uint8_t *p = *place;
  float value;
  if (!take_text(&p, end) || !take_space(&p, end) || *p != ':') return false;
  p++;
  if (!take_space(&p, end) || !(*p == '"' ? take_text(&p, end) : take_long(&p, p + (*p == '-'), end, *p == '-', &value))) {
    return false;
  }
  *place = p;
  return true;
}

/// Takes what stands between two objects, or ends their list.
static inline bool take_between(const uint8_t **place, const uint8_t *end, bool *isClosed) {
  const uint8_t *p = *place;
  if (!take_space(&p, end)) return false;
  *isClosed = *p == ']';
  if (!*isClosed) {
    if (*p++ != ',' || !take_space(&p, end)) return false;
  }
  *place = p;
  return true;
}

/// Takes an object, to the place behind it.
SIXTEEN static inline bool take_record(const uint8_t **place, scan *scan, const cdecimals_key *keys, size_t key_count,
                                       float *values) {
  const uint8_t *end = scan->end;
  const uint8_t *p = *place;
  if (*p != '{') return false;
  size_t next = 0;
  unsigned seen = 0;
  do {
    p++;
    if (!take_space(&p, end)) return false;
    // Objects have their keys in the same order, mostly that which is asked for.
    size_t tries = 0;
    while (tries < key_count && !take_key(&p, end, &keys[next])) {
      next = next + 1 < key_count ? next + 1 : 0;
      tries++;
    }
    if (tries < key_count) {
      const uint8_t *stop = next_end(scan, p);
      // A key that comes again is the caller's to judge.
      if (stop == NULL || (seen >> next & 1) || !number(p, stop, end, &values[next])) return false;
      seen |= 1u << next;
      next = next + 1 < key_count ? next + 1 : 0;
      p = stop;
    } else if (!take_other(&p, end) || !take_space(&p, end)) {
      return false;
    }
  } while (*p == ',');
  if (*p != '}' || seen != (1u << key_count) - 1) return false;
  *place = p + 1;
  return true;
}

SIXTEEN static size_t records(const uint8_t *bytes, size_t count, size_t *position, const cdecimals_key *keys,
                              size_t key_count, float *values, size_t capacity, bool *isClosed) {
  const uint8_t *object = bytes + *position;
  const uint8_t *end = bytes + count;
  size_t done = 0;
  if (*position < 16 || end - object < 2 * ROOM) return 0;
  scan scan = {object, end, ends(object)};
  while (done < capacity && !*isClosed) {
    const uint8_t *next = object;
    bool closes = false;
    if (!take_record(&next, &scan, keys, key_count, values + done * key_count)) break;
    if (!take_between(&next, end, &closes)) break;
    *isClosed = closes;
    object = next;
    done++;
  }
  *position = (size_t)(object - bytes);
  return done;
}

#endif

size_t cdecimals_list(const uint8_t *bytes, size_t count, size_t *position, float *values, size_t capacity,
                      bool *isClosed) {
  *isClosed = false;
#if HAS_SIXTEEN
  if (*position <= count && has_sixteen()) return list(bytes, count, position, values, capacity, isClosed);
#endif
  return 0;
}

size_t cdecimals_records(const uint8_t *bytes, size_t count, size_t *position, const cdecimals_key *keys,
                         size_t key_count, float *values, size_t capacity, bool *isClosed) {
  *isClosed = false;
#if HAS_SIXTEEN
  if (*position <= count && has_sixteen()) {
    return records(bytes, count, position, keys, key_count, values, capacity, isClosed);
  }
#endif
  return 0;
}
