// Code shared by all contenders of the emission benchmark in Swift, C and C++: a tick counter, a histogram of call times, and
// the number of the last event whose call has returned.
#pragma once

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

static inline int64_t bm_read(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t bm_nanoseconds(void) { return bm_read(CLOCK_MONOTONIC); }

// A measured interval: wall-clock time, and processor time of all threads, which varies less on a busy machine.
struct bm_stretch { int64_t time, processor; };

static inline struct bm_stretch bm_begin(void) {
  struct bm_stretch start = {bm_read(CLOCK_MONOTONIC), bm_read(CLOCK_PROCESS_CPUTIME_ID)};
  return start;
}

// Prints the nanoseconds per event since `start`: wall-clock time and processor time.
static inline void bm_print(struct bm_stretch start, uint64_t events) {
  struct bm_stretch end = bm_begin();
  printf(
      "%.2f %.2f\n", (double)(end.time - start.time) / (double)events,
      (double)(end.processor - start.processor) / (double)events);
}

// Returns the processor's tick counter. Reading it takes less than half the time of reading a clock.
static inline uint64_t bm_ticks(void) {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return (uint64_t)bm_nanoseconds();
#endif
}

static inline double bm_nanoseconds_per_tick(void) {
  int64_t time = bm_nanoseconds();
  uint64_t ticks = bm_ticks();
  while (bm_nanoseconds() - time < 20000000) {}
  return (double)(bm_nanoseconds() - time) / (double)(bm_ticks() - ticks);
}

// A histogram of call times in ticks. The last bucket counts all longer calls.
enum { BM_PLACES = 1 << 16 };
struct bm_histogram { uint32_t counts[BM_PLACES]; };

static inline struct bm_histogram *bm_histogram_make(void) {
  return (struct bm_histogram *)calloc(1, sizeof(struct bm_histogram));
}

static inline void bm_histogram_add(struct bm_histogram *histogram, uint64_t ticks) {
  histogram->counts[ticks < BM_PLACES ? ticks : BM_PLACES - 1]++;
}

static inline uint64_t bm_histogram_rank(const struct bm_histogram *histogram, double share) {
  uint64_t total = 0, passed = 0;
  for (int place = 0; place < BM_PLACES; place++) total += histogram->counts[place];
  for (int place = 0; place < BM_PLACES; place++) {
    passed += histogram->counts[place];
    if ((double)passed >= share * (double)total) return (uint64_t)place;
  }
  return BM_PLACES - 1;
}

// Prints the median, the 99th and the 99.9th percentile, and the median of an empty measurement, in nanoseconds.
static inline void bm_histogram_print(const struct bm_histogram *histogram) {
  struct bm_histogram *nothing = bm_histogram_make();
  for (int count = 0; count < 1000000; count++) {
    uint64_t before = bm_ticks();
    bm_histogram_add(nothing, bm_ticks() - before);
  }
  double scale = bm_nanoseconds_per_tick();
  printf(
      "%.1f %.1f %.1f %.1f\n", scale * (double)bm_histogram_rank(histogram, 0.5),
      scale * (double)bm_histogram_rank(histogram, 0.99), scale * (double)bm_histogram_rank(histogram, 0.999),
      scale * (double)bm_histogram_rank(nothing, 0.5));
  free(nothing);
}

// Maps a counter in a file that the harness reads after the process was killed. Stores to the mapping survive the process.
static inline uint64_t *bm_acknowledged(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0 || ftruncate(file, 8) != 0) abort();
  void *address = mmap(NULL, 8, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (address == MAP_FAILED) abort();
  close(file);
  return (uint64_t *)address;
}

static inline void bm_acknowledge(uint64_t *word, uint64_t count) { __atomic_store_n(word, count, __ATOMIC_RELEASE); }
