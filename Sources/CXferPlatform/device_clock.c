#include "CXferPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// What the processes of a device share.
struct device {
  int64_t ahead;
  // The run of the machine that is played, as text; empty for the real one.
  char boot[40];
};

static struct device as_the_machine;
static struct device *device = &as_the_machine;
static bool is_mine = false;

// A hundred years, in nanoseconds.
static const int64_t greatest_ahead = 3155760000000000000;

int64_t xp_clock_ahead(void) {
  int64_t ahead = __atomic_load_n(&__atomic_load_n(&device, __ATOMIC_RELAXED)->ahead, __ATOMIC_RELAXED);
  // The number comes from a file: sums with it must stay in range.
  return ahead < 0 ? 0 : ahead > greatest_ahead ? greatest_ahead : ahead;
}

bool xp_device_boot(char text[37]) {
  // Written when none of the device's processes runs.
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
    // Whoever may not move the clocks does not find half a file: it is made whole before anybody is told of it.
    problem = !may_move ? EINVAL : ftruncate(descriptor, sizeof(struct device)) != 0 ? errno : 0;
  }
  if (problem == 0) {
    void *page = mmap(NULL, sizeof(struct device), may_move ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
    if (page == MAP_FAILED) {
      problem = errno;
    } else {
      // The page that was followed before stays mapped: another thread may be reading it.
      __atomic_store_n(&device, (struct device *)page, __ATOMIC_RELEASE);
      is_mine = may_move;
    }
  }
  close(descriptor);
  return problem;
}

void xp_clock_move(int64_t to) {
  if (is_mine) __atomic_store_n(&device->ahead, to, __ATOMIC_RELEASE);
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

// Before anything is logged: what a process says first has to have the time of the one that started it.
__attribute__((constructor)) static void follow_environment(void) {
  const char *path = getenv("XFERD_CLOCK");
  if (path != NULL && path[0] == '/') (void)xp_clock_follow(path, false);
}
