#include "CXferPlatform.h"

// The clock is extrapolated from a reading for a window of 2^20 ticks, less than a millisecond. The rate is measured again every
// second, so that it follows the corrections of a time daemon: a correction of 50 parts per million changes the end of a window by
// 20 ns, far less than the time that one thread needs to wake another, so an event and its effect in another thread keep their
// order.
enum { WINDOW = 1 << 20, LONGEST_READING = 4096 };
static const int64_t FIRST_BASELINE = 20000000, BASELINE = 1000000000, STEP = 10000;

static void measure_rate(struct xp_counted_clock *clock, uint64_t tick, int64_t time) {
  int64_t passed = time - clock->rate_time;
  if (clock->rate_tick == 0 || tick <= clock->rate_tick || passed < 0) {
    clock->rate = 0;
  } else if (passed < (clock->rate == 0 ? FIRST_BASELINE : BASELINE)) {
    return;
  } else {
    uint64_t rate = (uint64_t)(((unsigned __int128)passed << 32) / (tick - clock->rate_tick));
    // While the machine sleeps, the counter may advance but the clock does not, so an implausible rate is ignored.
    int is_plausible = clock->rate == 0 || (rate < clock->rate + (clock->rate >> 10) && rate > clock->rate - (clock->rate >> 10));
    if (is_plausible) clock->rate = rate;
  }
  clock->rate_tick = tick;
  clock->rate_time = time;
}

// Returns the latest time that can have been returned before the counter reached `tick`.
static int64_t returned_before(const struct xp_counted_clock *clock, uint64_t tick) {
  uint64_t passed = tick - clock->tick;
  if (clock->tick == 0 || passed >= 4 * (uint64_t)WINDOW) return clock->time;
  return clock->time + (int64_t)((passed * clock->rate) >> 32);
}

bool xp_counted_clock_extrapolate(const struct xp_counted_clock *clock, uint64_t tick, int64_t *time) {
  uint64_t passed = tick - clock->tick;
  if (passed >= WINDOW || clock->rate == 0) return false;
  *time = clock->time + (int64_t)((passed * clock->rate) >> 32);
  return true;
}

int64_t xp_counted_clock_read(struct xp_counted_clock *clock, uint64_t before, int64_t time, uint64_t after) {
  // If extrapolation ran slightly fast, the time pauses instead of decreasing.
  int64_t earliest = returned_before(clock, before);
  if (earliest > time && earliest - time < STEP) time = earliest;
  clock->time = time;
  if (after - before > LONGEST_READING) {
    // The thread was interrupted between the readings, so the counter does not match the clock.
    clock->tick = 0;
  } else {
    uint64_t tick = before + (after - before) / 2;
    measure_rate(clock, tick, time);
    clock->tick = tick;
  }
  return time;
}

#if defined(__x86_64__) && defined(__linux__)

#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <x86intrin.h>

// The kernel derives its monotonic clock from the processor's counter. Reading the clock takes 24 ns, reading the counter 10
// ns. So each thread reads the clock occasionally and extrapolates from the counter in between.
static _Thread_local struct xp_counted_clock counted;

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

__attribute__((noinline)) static int64_t read_clock(void) {
  if (!is_trusted()) return xp_clock_monotonic_machine();
  uint64_t before = __rdtsc();
  int64_t time = xp_clock_monotonic_machine();
  return xp_counted_clock_read(&counted, before, time, __rdtsc());
}

int64_t xp_clock_monotonic_counted(void) {
  int64_t time;
  if (!xp_counted_clock_extrapolate(&counted, __rdtsc(), &time)) time = read_clock();
  return time + xp_clock_ahead();
}

#else

int64_t xp_clock_monotonic_counted(void) { return xp_clock_monotonic(); }

#endif
