#include "CXferPlatform.h"

#if defined(__x86_64__) && defined(__linux__)

#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

// The kernel makes its monotonic clock out of the processor's counter, at the price of 24 ns a reading where the counter
// itself costs 10. So a thread reads the clock now and then, and in between counts on from there.
//
// A reading is used for a window of 2^20 ticks, less than a millisecond. The rate is measured anew every second, so it
// follows the corrections of a time daemon: 50 parts in a million move the end of a window by 20 ns, far less than one
// thread needs to wake another.
static _Thread_local struct {
  uint64_t tick;
  int64_t time;
  // Nanoseconds for each 2^32 ticks; 0 until it is known.
  uint64_t rate;
  uint64_t rate_tick;
  int64_t rate_time;
} base;

enum { WINDOW = 1 << 20, LONGEST_READING = 4096 };
static const int64_t FIRST_BASELINE = 20000000, BASELINE = 1000000000, STEP = 10000;

// Whether the kernel itself trusts the counter: the same on all processors, and at one rate.
static int is_trusted(void) {
  static int answer; // 0: not asked yet. Threads that ask at once find the same answer.
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
    // The counter may go on while the machine is suspended, and the clock does not.
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
    // Interrupted in between: the two do not belong together.
    base.tick = 0;
    return time;
  }
  uint64_t tick = before + took / 2;
  if (base.tick != 0 && tick - base.tick < 4 * (uint64_t)WINDOW) {
    // Where counting on went a little too fast, the thread's time stands still rather than go back.
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
