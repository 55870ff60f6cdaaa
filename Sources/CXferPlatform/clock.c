#include "CXferPlatform.h"

#if defined(__x86_64__) && defined(__linux__)

#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

// The kernel derives its monotonic clock from the processor's counter. Reading the clock takes 24 ns, reading the counter 10
// ns. So each thread reads the clock occasionally and extrapolates from the counter in between.
//
// A clock reading is valid for a window of 2^20 ticks, less than a millisecond. The rate is measured again every second, so
// that it follows the corrections of a time daemon: a correction of 50 parts per million changes the end of a window by 20
// ns, far less than the time that one thread needs to wake another, so an event and its effect in another thread keep their
// order.
static _Thread_local struct {
  uint64_t tick;
  int64_t time;
  // The number of nanoseconds per 2^32 ticks. 0 until measured.
  uint64_t rate;
  uint64_t rate_tick;
  int64_t rate_time;
} base;

enum { WINDOW = 1 << 20, LONGEST_READING = 4096 };
static const int64_t FIRST_BASELINE = 20000000, BASELINE = 1000000000, STEP = 10000;

// Returns whether the kernel uses the counter as its clock source. The counter then has a constant rate and is equal on all
// processors.
static int is_trusted(void) {
  static int answer; // 0 until determined. Threads that determine it at the same time get the same result.
  int known = __atomic_load_n(&answer, __ATOMIC_RELAXED);
  if (known == 0) {
    char name[8] = {0};
    int file = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (file >= 0) {
      if (read(file, name, sizeof name - 1) < 0) name[0] = 0;
      close(file);
    }
    known = strcmp(name, "tsc\n") == 0 ? 1 : -1;
    __atomic_store_n(&answer, known, __ATOMIC_RELAXED);
  }
  return known > 0;
}

static void measure_rate(uint64_t tick, int64_t time) {
  int64_t passed = time - base.rate_time;
  if (base.rate_tick == 0 || tick <= base.rate_tick || passed < 0) {
    base.rate = 0;
  } else if (passed < (base.rate == 0 ? FIRST_BASELINE : BASELINE)) {
    return;
  } else {
    uint64_t rate = (uint64_t)(((unsigned __int128)passed << 32) / (tick - base.rate_tick));
    // While the machine sleeps, the counter may advance but the clock does not, so an implausible rate is ignored.
    int is_plausible = base.rate == 0 || (rate < base.rate + (base.rate >> 10) && rate > base.rate - (base.rate >> 10));
    if (is_plausible) base.rate = rate;
  }
  base.rate_tick = tick;
  base.rate_time = time;
}

__attribute__((noinline)) static int64_t read_clock(void) {
  if (!is_trusted()) return xp_clock_monotonic_machine();
  uint64_t before = __rdtsc();
  int64_t time = xp_clock_monotonic_machine();
  uint64_t took = __rdtsc() - before;
  if (took > LONGEST_READING) {
    // The thread was interrupted between the readings, so the counter does not match the clock.
    base.tick = 0;
    return time;
  }
  uint64_t tick = before + took / 2;
  if (base.tick != 0 && tick - base.tick < 4 * (uint64_t)WINDOW) {
    // If extrapolation ran slightly fast, the thread's time pauses instead of decreasing.
    int64_t counted = base.time + (int64_t)(((tick - base.tick) * base.rate) >> 32);
    if (counted > time && counted - time < STEP) time = counted;
  }
  measure_rate(tick, time);
  base.tick = tick;
  base.time = time;
  return time;
}

int64_t xp_clock_monotonic_counted(void) {
  uint64_t passed = __rdtsc() - base.tick;
  if (passed < WINDOW && base.rate != 0) return base.time + (int64_t)((passed * base.rate) >> 32) + xp_clock_ahead();
  return read_clock() + xp_clock_ahead();
}

#else

int64_t xp_clock_monotonic_counted(void) { return xp_clock_monotonic(); }

#endif
