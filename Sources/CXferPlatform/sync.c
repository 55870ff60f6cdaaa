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
  // fsync leaves the bytes in the drive's cache, and does not look at mappings.
  if (mapping != NULL && msync(mapping, size, MS_SYNC) != 0) return errno;
  do {
    result = fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : errno;
  } while (result == EINTR);
  if (result != ENOTSUP && result != EINVAL) return result;
  do {
    result = fsync(descriptor) == 0 ? 0 : errno;
  } while (result == EINTR);
#else
  // What was stored through a mapping is in the same pages that this writes.
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
  // Some file systems have nothing to bring to the disk here.
  return result == EINVAL || result == ENOTSUP ? 0 : result;
}

void xp_sync_begin(int descriptor) {
#if defined(__linux__)
  // An error is reported by the synchronisation that follows.
  sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  (void)descriptor;
#endif
}
