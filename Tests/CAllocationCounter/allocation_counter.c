#include "allocation_counter.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)

// An executable's own malloc takes the place of the C library's, which goes on under these names
// (The GNU C Library Reference Manual, 3.2.5 Replacing malloc).
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static __thread unsigned long count;

void *malloc(size_t size) {
  count += 1;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count += 1;
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count += 1;
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count += 1;
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count += 1;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count += 1;
  void *aligned = __libc_memalign(alignment, size);
  if (aligned == NULL) return 12;
  *memory = aligned;
  return 0;
}

unsigned long allocation_count(void) { return count; }
int allocations_are_counted(void) { return 1; }

#else

unsigned long allocation_count(void) { return 0; }
int allocations_are_counted(void) { return 0; }

#endif
