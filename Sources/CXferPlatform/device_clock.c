#include "CXferPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The contents of the file that the processes of a simulated device share.
struct device {
  // The offset of the clocks, in nanoseconds.
  int64_t ahead;
  // The identifier of the simulated boot. Empty if the device uses the identifier of the machine's boot.
  char boot[40];
};

static struct device real_device;
static struct device *device = &real_device;
static bool may_move_clock = false;

// The maximum offset of the clocks: 100 years, in nanoseconds.
static const int64_t greatest_ahead = 3155760000000000000;

int64_t xp_clock_ahead(void) {
  int64_t ahead = __atomic_load_n(&__atomic_load_n(&device, __ATOMIC_RELAXED)->ahead, __ATOMIC_RELAXED);
  // The offset comes from a file, so it is clamped to keep sums in range.
  return ahead < 0 ? 0 : ahead > greatest_ahead ? greatest_ahead : ahead;
}

bool xp_device_boot(char text[37]) {
  // The identifier can be read without a lock, because it is written only while no process of the device is running.
  const struct device *known = __atomic_load_n(&device, __ATOMIC_ACQUIRE);
  if (known->boot[0] == 0) return false;
  memcpy(text, known->boot, 36);
  text[36] = 0;
  return true;
}

int xp_clock_follow(const char *path, bool may_move) {
  int descriptor = open(path, (may_move ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return errno;
  struct stat status;
  int problem = 0;
  if (fstat(descriptor, &status) != 0) {
    problem = errno;
  } else if (!S_ISREG(status.st_mode) || status.st_uid != getuid()) {
    problem = EPERM;
  } else if (status.st_size < (off_t)sizeof(struct device)) {
    // A reader never sees an incomplete file: the file gets its full size before its path is passed to other processes.
    problem = !may_move ? EINVAL : ftruncate(descriptor, sizeof(struct device)) != 0 ? errno : 0;
  }
  if (problem == 0) {
    void *page = mmap(NULL, sizeof(struct device), may_move ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
    if (page == MAP_FAILED) {
      problem = errno;
    } else {
      // The previous page stays mapped, because another thread may be reading it.
      __atomic_store_n(&device, (struct device *)page, __ATOMIC_RELEASE);
      may_move_clock = may_move;
    }
  }
  close(descriptor);
  return problem;
}

void xp_clock_move(int64_t to) {
  if (may_move_clock) __atomic_store_n(&device->ahead, to, __ATOMIC_RELEASE);
}

int xp_device_restart(const char *path) {
  int problem = xp_clock_follow(path, true);
  if (problem != 0) return problem;
#if defined(__linux__)
  char boot[36];
  int source = open("/proc/sys/kernel/random/uuid", O_RDONLY | O_CLOEXEC);
  if (source < 0) return errno;
  ssize_t count = read(source, boot, sizeof boot);
  close(source);
  if (count != (ssize_t)sizeof boot) return EIO;
  memcpy(device->boot, boot, sizeof boot);
  return 0;
#else
  return ENOSYS;
#endif
}

// Runs before main, so that the process's first log event has the device's time.
__attribute__((constructor)) static void follow_environment(void) {
  const char *path = xp_variable("XFERD_CLOCK");
  if (path != NULL && path[0] == '/') (void)xp_clock_follow(path, false);
}
