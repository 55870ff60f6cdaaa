#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CLogTestSupport.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static uint64_t state;
static uint64_t count;

void lts_write_shortly(uint64_t seed) { state = seed * 2 + 1; }
uint64_t lts_short_writes(void) { return __atomic_load_n(&count, __ATOMIC_RELAXED); }

#if defined(__linux__)
// In a program that links this file, this definition takes precedence over the C library's.
ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset) {
  if (__atomic_load_n(&state, __ATOMIC_RELAXED) != 0) {
    uint64_t word = __atomic_add_fetch(&state, 0x9e3779b97f4a7c15, __ATOMIC_RELAXED);
    word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9;
    word ^= word >> 27;
    if (word % 5 == 0 && size > 1) {
      __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
      if (word % 2 == 0) {
        errno = EINTR;
        return -1;
      }
      size = 1 + (size_t)(word >> 8) % (size - 1);
    }
  }
  return syscall(SYS_pwrite64, descriptor, bytes, size, offset);
}
#endif
