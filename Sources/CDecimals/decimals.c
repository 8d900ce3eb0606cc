#include "CDecimals.h"
#include "numbers.h"

/// Reads numbers whose places are known: `take_numbers` of `numbers.h`, for one width of vectors.
typedef size_t take_function(const uint8_t *const *befores, const uint8_t *const *stops, size_t count, number_kind kind,
                             float *values);

// MARK: - Rows of tables

/// Finds where fields end, for 64 bytes at once, so that no number waits for the one before.
typedef struct {
  /// How many fields end.
  size_t count;
  /// The first of them that does not end with a comma; `count` where all do.
  size_t other;
} found;

/// The lowest bit that is set; 64 where none is.
INLINE size_t lowest(uint64_t bits) { return bits == 0 ? 64 : (size_t)__builtin_ctzll(bits); }

/// The ends of `wanted` fields from a place on, or of as many as there are up to the first that is no comma or to where the
/// bytes end.
INLINE found find(const uint8_t *place, const uint8_t *end, size_t wanted, const uint8_t **stops) {
  size_t count = 0;
  for (; count < wanted && end - place >= ROOM; place += 64) {
    signed64 text;
    memcpy(&text, place, 64);
    // Bytes below '-', among them all that end a field.
    bytes64 is_end = (bytes64)(text < '-');
    bytes64 is_other = is_end & (bytes64)(text != ',');
    uint64_t bits = mask64(&is_end);
    uint64_t others = mask64(&is_other);
    size_t ends = (size_t)__builtin_popcountll(bits);
    size_t before = (size_t)__builtin_popcountll(bits & ~others & (others - 1));
    // So many that there are hardly ever more; those that are too many are overwritten.
    const uint8_t **next = stops + count;
    for (int i = 0; i < 10; i++, bits &= bits - 1) next[i] = place + lowest(bits);
    for (size_t i = 10; i < ends; i++, bits &= bits - 1) next[i] = place + lowest(bits);
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

INLINE size_t row(const uint8_t *bytes, size_t count, size_t *position, float *target, const size_t *offsets,
                  size_t fields, take_function *take) {
  // The byte before the first number, and where each of them ends, with room for what is found beyond.
  const uint8_t *ends[1 + AT_ONCE + 64];
  float values[AT_ONCE + 3];
  size_t done = 0;
  if (*position < 16) return 0;
  ends[0] = bytes + *position - 1;
  while (done < fields) {
    size_t wanted = fields - done < AT_ONCE ? fields - done : AT_ONCE;
    found found = find(ends[0] + 1, bytes + count, wanted, ends + 1);
    size_t complete = found.count;
    // The last field may end the line.
    if (found.other < found.count && (done + found.count < fields || !is_line_end(ends[1 + found.other]))) complete--;
    size_t usual = take(ends, ends + 1, complete, TABLE_NUMBERS, values);
    // As a vector they would only be taken apart again.
#pragma clang loop vectorize(disable)
    for (size_t i = 0; i < usual; i++) target[offsets[done + i]] = values[i];
    done += usual;
    ends[0] = ends[usual];
    if (usual < wanted) {
      *position = (size_t)(ends[0] + 1 - bytes);
      return done;
    }
  }
  *position = (size_t)(ends[0] - bytes);
  return done;
}

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
  /// Ones for those that count.
  uint8_t mask[64];
  size_t count;
} gap;

/// Remembers [start, stop), where 64 bytes are there; false where it is too long.
static bool learn(gap *gap, const uint8_t *start, const uint8_t *stop) {
  gap->count = (size_t)(stop - start);
  if (gap->count > sizeof gap->bytes) return false;
  memcpy(gap->bytes, start, sizeof gap->bytes);
  memset(gap->mask, 0, sizeof gap->mask);
  memset(gap->mask, 0xFF, gap->count);
  return true;
}

/// Whether 32 bytes differ where the mask has ones.
INLINE bool differ(const uint8_t *a, const uint8_t *b, const uint8_t *mask) {
  words4 left, right, counts;
  memcpy(&left, a, 32);
  memcpy(&right, b, 32);
  memcpy(&counts, mask, 32);
  words4 differences = (left ^ right) & counts;
  return is_any(&differences);
}

/// Takes what is expected; `ROOM` bytes are there.
INLINE bool take_gap(const uint8_t **place, const gap *gap) {
  if (differ(*place, gap->bytes, gap->mask)) return false;
  if (gap->count > 32 && differ(*place + 32, gap->bytes + 32, gap->mask + 32)) return false;
  *place += gap->count;
  return true;
}

/// Where the number ends that begins at a place, if it is one: at a comma, a closing bracket or white space, or at a plus
/// sign, behind which only the caller looks. NULL where it has 32 bytes or more.
INLINE const uint8_t *number_end(const uint8_t *start) {
  bytes32 text;
  memcpy(&text, start, 32);
  bytes32 is_end = (bytes32)((signed32)text < '-') | (bytes32)((text | 0x20) == '}');
  uint32_t ends = mask32(&is_end);
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

INLINE size_t list(const uint8_t *bytes, size_t count, size_t *position, float *values, size_t capacity,
                   bool *is_closed, take_function *take) {
  const uint8_t *befores[AT_ONCE];
  const uint8_t *stops[AT_ONCE];
  gap gap;
  bool is_known = false;
  const uint8_t *start = bytes + *position;
  const uint8_t *end = bytes + count;
  size_t done = 0;
  if (*position < 16) return 0;
  while (done < capacity && !*is_closed) {
    size_t room = capacity - done < AT_ONCE ? capacity - done : AT_ONCE;
    size_t found = 0;
    while (found < room && !*is_closed && end - start >= ROOM) {
      const uint8_t *stop = number_end(start);
      if (stop == NULL || end - stop < ROOM) break;
      const uint8_t *next = stop;
      if (!is_known || !take_gap(&next, &gap)) {
        if (!take_between(&next, end, is_closed)) break;
        is_known = !*is_closed && learn(&gap, stop, next);
      }
      befores[found] = start - 1;
      stops[found++] = stop;
      start = next;
    }
    size_t usual = take(befores, stops, found, JSON_NUMBERS, values + done);
    done += usual;
    if (usual < found) {
      start = befores[usual] + 1;
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
  if (end - p < ROOM || is_open || !take_any(first, p, false, &value)) return false;
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
INLINE bool follow(const uint8_t **place, const uint8_t *end, const layout *layout, size_t key_count,
                   const uint8_t **befores, const uint8_t **stops) {
  const uint8_t *p = *place;
  for (size_t i = 0; i < key_count; i++) {
    if (end - p < ROOM || !take_gap(&p, &layout->before[i])) return false;
    const uint8_t *stop = number_end(p);
    if (stop == NULL) return false;
    befores[layout->keys[i]] = p - 1;
    stops[layout->keys[i]] = stop;
    p = stop;
  }
  if (end - p < ROOM) return false;
  *place = p;
  return true;
}

/// Finds the numbers of an object, to the place behind it, and remembers what it looks like.
INLINE bool take_record(const uint8_t **place, const uint8_t *end, const cdecimals_key *keys, size_t key_count,
                        layout *layout, const uint8_t **befores, const uint8_t **stops, const uint8_t **last) {
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
      befores[key] = p - 1;
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

INLINE size_t records(const uint8_t *bytes, size_t count, size_t *position, const cdecimals_key *keys,
                      size_t key_count, float *values, size_t capacity, bool *is_closed, take_function *take) {
  const uint8_t *all_befores[AT_ONCE];
  const uint8_t *all_stops[AT_ONCE];
  const uint8_t *objects[AT_ONCE];
  layout layout;
  layout.is_known = false;
  const uint8_t *object = bytes + *position;
  const uint8_t *end = bytes + count;
  size_t done = 0;
  if (*position < 16) return 0;
  while (done < capacity && !*is_closed) {
    size_t room = capacity - done < AT_ONCE / key_count ? capacity - done : AT_ONCE / key_count;
    size_t found = 0;
    while (found < room && !*is_closed && end - object >= ROOM) {
      const uint8_t **befores = all_befores + found * key_count;
      const uint8_t **stops = all_stops + found * key_count;
      const uint8_t *next = object;
      if (layout.is_known && follow(&next, end, &layout, key_count, befores, stops)) {
        if (!layout.is_behind_known || !take_gap(&next, &layout.behind)) {
          if (!take_behind(&next, end, is_closed)) {
            layout.is_known = false;
            continue;
          }
        }
      } else {
        const uint8_t *last = object;
        if (!take_record(&next, end, keys, key_count, &layout, befores, stops, &last)) break;
        if (!take_between(&next, end, is_closed)) break;
        layout.is_behind_known = !*is_closed && learn(&layout.behind, last, next);
      }
      objects[found++] = object;
      object = next;
    }
    size_t usual = take(all_befores, all_stops, found * key_count, JSON_NUMBERS, values + done * key_count) / key_count;
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

// MARK: - For the vectors of a processor

static __attribute__((noinline)) size_t take(const uint8_t *const *befores, const uint8_t *const *stops, size_t count,
                                             number_kind kind, float *values) {
  return take_numbers(befores, stops, count, kind, values);
}

// Every x86-64 has vectors of 16 bytes, and most have vectors of 32 since 2013: there the same source runs that is compiled
// for these once more. `ONCE` leaves that out.
#if defined(__x86_64__) && !defined(ONCE)
#define TWICE 1
#define WIDE __attribute__((target("avx2,bmi,bmi2,popcnt")))

static bool is_wide(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }

WIDE static __attribute__((noinline)) size_t wide_take(const uint8_t *const *befores, const uint8_t *const *stops,
                                                       size_t count, number_kind kind, float *values) {
  return take_numbers(befores, stops, count, kind, values);
}

WIDE static size_t wide_row(const uint8_t *bytes, size_t count, size_t *position, float *target, const size_t *offsets,
                            size_t fields) {
  return row(bytes, count, position, target, offsets, fields, wide_take);
}

WIDE static size_t wide_list(const uint8_t *bytes, size_t count, size_t *position, float *values, size_t capacity,
                             bool *is_closed) {
  return list(bytes, count, position, values, capacity, is_closed, wide_take);
}

WIDE static size_t wide_records(const uint8_t *bytes, size_t count, size_t *position, const cdecimals_key *keys,
                                size_t key_count, float *values, size_t capacity, bool *is_closed) {
  return records(bytes, count, position, keys, key_count, values, capacity, is_closed, wide_take);
}
#endif

size_t cdecimals_row(const uint8_t *bytes, size_t count, size_t *position, float *target, const size_t *offsets,
                     size_t fields) {
  if (*position > count || fields == 0) return 0;
#if TWICE
  if (is_wide()) return wide_row(bytes, count, position, target, offsets, fields);
#endif
  return row(bytes, count, position, target, offsets, fields, take);
}

size_t cdecimals_list(const uint8_t *bytes, size_t count, size_t *position, float *values, size_t capacity,
                      bool *is_closed) {
  *is_closed = false;
  if (*position > count) return 0;
#if TWICE
  if (is_wide()) return wide_list(bytes, count, position, values, capacity, is_closed);
#endif
  return list(bytes, count, position, values, capacity, is_closed, take);
}

size_t cdecimals_records(const uint8_t *bytes, size_t count, size_t *position, const cdecimals_key *keys,
                         size_t key_count, float *values, size_t capacity, bool *is_closed) {
  *is_closed = false;
  if (*position > count) return 0;
#if TWICE
  if (is_wide()) return wide_records(bytes, count, position, keys, key_count, values, capacity, is_closed);
#endif
  return records(bytes, count, position, keys, key_count, values, capacity, is_closed, take);
}

// MARK: - Counting

size_t cdecimals_count(const uint8_t *bytes, size_t count, uint8_t byte) {
  size_t total = 0;
  size_t place = 0;
  while (count - place >= 64) {
    // Each lane counts up to 255.
    size_t blocks = (count - place) / 64 < 255 ? (count - place) / 64 : 255;
    bytes64 lanes = {0};
    for (size_t block = 0; block < blocks; block++, place += 64) {
      bytes64 text;
      memcpy(&text, bytes + place, 64);
      lanes -= (bytes64)(text == byte);
    }
    for (int lane = 0; lane < 64; lane++) total += lanes[lane];
  }
  for (; place < count; place++) total += bytes[place] == byte;
  return total;
}

bool cdecimals_is_ascii(const uint8_t *bytes, size_t count, uint8_t first, uint8_t second, uint8_t third) {
  bytes64 found = {0};
  size_t place = 0;
  for (; count - place >= 64; place += 64) {
    bytes64 text;
    memcpy(&text, bytes + place, 64);
    found |= text | (bytes64)(text == first) | (bytes64)(text == second) | (bytes64)(text == third);
  }
  uint8_t all = 0;
  for (int lane = 0; lane < 64; lane++) all |= found[lane];
  for (; place < count; place++) {
    bool is_one = bytes[place] == first || bytes[place] == second || bytes[place] == third;
    all |= is_one ? 0x80 : bytes[place];
  }
  return all < 0x80;
}

/// Whether a byte may stand in a list of numbers: '+' to '9', white space, or the letter of an exponent. Without a branch,
/// so that many bytes are looked at together.
static inline bool is_of_numbers(uint8_t byte) {
  bool is_space = (byte == ' ') | (byte == '\n') | (byte == '\r') | (byte == '\t');
  return ((uint8_t)(byte - '+') <= '9' - '+') | is_space | ((byte | 0x20) == 'e');
}

size_t cdecimals_list_end(const uint8_t *bytes, size_t count, size_t position) {
  if (position >= count) return count;
  const uint8_t *end = memchr(bytes + position, ']', count - position);
  if (end == NULL) return count;
  uint8_t others = 0;
  size_t place = (size_t)(end - bytes);
  for (size_t i = position; i < place; i++) others |= !is_of_numbers(bytes[i]);
  return others == 0 ? place : count;
}
