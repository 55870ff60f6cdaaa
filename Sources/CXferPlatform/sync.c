#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CXferPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

int xp_sync(int descriptor, void *mapping, size_t size) {
  int result;
#if defined(__APPLE__)
  // On Apple systems, fsync leaves the bytes in the drive's cache and ignores mappings.
  if (mapping != NULL && msync(mapping, size, MS_SYNC) != 0) return errno;
  do {
    result = fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : errno;
  } while (result == EINTR);
  if (result != ENOTSUP && result != EINVAL) return result;
  do {
    result = fsync(descriptor) == 0 ? 0 : errno;
  } while (result == EINTR);
#else
  // Stores through a mapping dirty the same pages that fdatasync writes, so msync is not needed.
  (void)mapping;
  (void)size;
  do {
    result = fdatasync(descriptor) == 0 ? 0 : errno;
  } while (result == EINTR);
#endif
  return result;
}

int xp_sync_path(const char *path) {
  int descriptor = xp_open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0);
  if (descriptor < 0) return errno;
  int result = xp_sync(descriptor, NULL, 0);
  close(descriptor);
  return result;
}

int xp_sync_directory(const char *path) {
  int descriptor = xp_open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (descriptor < 0) return errno;
  int result;
  do {
    result = fsync(descriptor) == 0 ? 0 : errno;
  } while (result == EINTR);
  close(descriptor);
  // Some file systems do not support synchronising directories.
  return result == EINVAL || result == ENOTSUP ? 0 : result;
}

void xp_sync_begin(int descriptor) {
#if defined(__linux__)
  // The result is ignored: the later call of xp_sync reports errors.
  sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor;
#endif
}
