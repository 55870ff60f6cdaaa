#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CXferPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

static int fsync_completely(int descriptor) {
  int result;
  do {
    result = fsync(descriptor) == 0 ? 0 : errno;
  } while (result == EINTR);
  return result;
}

#if defined(__APPLE__)
// Syncs with F_FULLFSYNC, which writes to the medium, or F_BARRIERFSYNC, which only preserves the order of writes. On Apple systems,
// fsync alone does neither, and does not write stores through a mapping. If the file system does not support the command, fsync is used.
static int sync_with(int command, int descriptor, void *mapping, size_t size) {
  if (mapping != NULL && msync(mapping, size, MS_SYNC) != 0) return errno;
  int result;
  do {
    result = fcntl(descriptor, command) == 0 ? 0 : errno;
  } while (result == EINTR);
  return result == ENOTSUP || result == EINVAL || result == ENOTTY ? fsync_completely(descriptor) : result;
}
#else
static int sync_data(int descriptor) {
  int result;
  do {
    result = fdatasync(descriptor) == 0 ? 0 : errno;
  } while (result == EINTR);
  return result;
}
#endif

int xp_sync(int descriptor, void *mapping, size_t size) {
#if defined(__APPLE__)
  return sync_with(F_FULLFSYNC, descriptor, mapping, size);
#else
  // Stores through a mapping dirty the same pages that fdatasync writes, so msync is not needed.
  (void)mapping;
  (void)size;
  return sync_data(descriptor);
#endif
}

int xp_sync_ordered(int descriptor, void *mapping, size_t size) {
#if defined(__APPLE__)
  return sync_with(F_BARRIERFSYNC, descriptor, mapping, size);
#else
  return xp_sync(descriptor, mapping, size);
#endif
}

int xp_sync_drive(const char *path) {
#if defined(__APPLE__)
  return xp_sync_directory(path);
#else
  (void)path;
  return 0;
#endif
}

int xp_sync_file(int descriptor) {
#if defined(__APPLE__)
  return sync_with(F_FULLFSYNC, descriptor, NULL, 0);
#else
  return fsync_completely(descriptor);
#endif
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
  int result = xp_sync_file(descriptor);
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
