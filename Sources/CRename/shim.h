#include <stdio.h>

#ifdef __APPLE__
// Exchanges two paths atomically. -1, with the reason in errno, if that fails.
static inline int exchange_paths(const char *a, const char *b) { return renamex_np(a, b, RENAME_SWAP); }
#else
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

// Exchanges two paths atomically: RENAME_EXCHANGE is 2. -1, with the reason in errno, if that fails.
static inline int exchange_paths(const char *a, const char *b) {
  return (int)syscall(SYS_renameat2, AT_FDCWD, a, AT_FDCWD, b, 2);
}
#endif
