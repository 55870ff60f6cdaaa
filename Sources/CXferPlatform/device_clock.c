#include "CXferPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int64_t as_the_machine = 0;
static int64_t *ahead = &as_the_machine;
static bool is_mine = false;

int64_t xp_clock_ahead(void) { return __atomic_load_n(__atomic_load_n(&ahead, __ATOMIC_RELAXED), __ATOMIC_RELAXED); }

int xp_clock_follow(const char *path, bool may_move) {
  int descriptor = open(path, (may_move ? O_RDWR | O_CREAT : O_RDONLY) | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor < 0) return errno;
  struct stat status;
  int problem = 0;
  if (fstat(descriptor, &status) != 0) {
    problem = errno;
  } else if (!S_ISREG(status.st_mode) || status.st_uid != getuid()) {
    problem = EPERM;
  } else if (status.st_size < (off_t)sizeof(int64_t)) {
    // Whoever may not move the clocks does not find half a file: it is made whole before anybody is told of it.
    problem = !may_move ? EINVAL : ftruncate(descriptor, sizeof(int64_t)) != 0 ? errno : 0;
  }
  if (problem == 0) {
    void *page = mmap(NULL, sizeof(int64_t), may_move ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor, 0);
    if (page == MAP_FAILED) {
      problem = errno;
    } else {
      // The page that was followed before stays mapped: another thread may be reading it.
      __atomic_store_n(&ahead, (int64_t *)page, __ATOMIC_RELEASE);
      is_mine = may_move;
    }
  }
  close(descriptor);
  return problem;
}

void xp_clock_move(int64_t to) {
  if (is_mine) __atomic_store_n(ahead, to, __ATOMIC_RELEASE);
}

// Before anything is logged: what a process says first has to have the time of the one that started it.
__attribute__((constructor)) static void follow_environment(void) {
  const char *path = getenv("XFERD_CLOCK");
  if (path != NULL && path[0] == '/') (void)xp_clock_follow(path, false);
}
