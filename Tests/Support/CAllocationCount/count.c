#include "CAllocationCount.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)

// A program's own definitions take precedence over those of libraries, even for calls from the libraries that it loads. glibc
// also provides its allocator under these names.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static uint64_t allocations;

static void count(void) { __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED); }

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
  count();
  return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

uint64_t lts_allocations(void) { return __atomic_load_n(&allocations, __ATOMIC_RELAXED); }
bool lts_counts_allocations(void) { return true; }

#else

uint64_t lts_allocations(void) { return 0; }
bool lts_counts_allocations(void) { return false; }

#endif
