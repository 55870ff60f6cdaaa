// The common code of a benchmark contender: a sink for the event mix, and its three measurement modes.
#pragma once

#include <cstring>
#include <string>

#include "CBenchmark.h"

// The constant field values of the event mix. `BenchmarkMix.swift` has the same values.
namespace mix {
inline const char *host = "cdn.example.";
inline const char *path = "/files/objects/abc/12345";
inline const char *queue = "delegate";
enum { attempt = 1, transaction = 1, status = 302, expected = 1 << 20, did_complete = 3 };
inline uint32_t task(uint64_t step) { return (uint32_t)(step & 15); }
} // namespace mix

// A sink has the functions `received`, `entered` and `redirected`, each with the step number, and the function `finish`.
template <class Sink> int contend(int count, char **arguments) {
  if (count < 4) return 2;
  std::string mode = arguments[1];
  uint64_t events = strtoull(arguments[2], nullptr, 10);
  Sink sink(arguments[3]);
  if (mode == "time") {
    bm_stretch start = bm_begin();
    for (uint64_t step = 0; step < events / 3; step++) {
      sink.received(step);
      sink.entered(step);
      sink.redirected(step);
    }
    bm_print(start, events);
    sink.finish();
  } else if (mode == "calls") {
    bm_histogram *histogram = bm_histogram_make();
    auto timed = [&](auto call) {
      uint64_t before = bm_ticks();
      call();
      bm_histogram_add(histogram, bm_ticks() - before);
    };
    for (uint64_t step = 0; step < events / 3; step++) {
      timed([&] { sink.received(step); });
      timed([&] { sink.entered(step); });
      timed([&] { sink.redirected(step); });
    }
    sink.finish();
    bm_histogram_print(histogram);
  } else if (mode == "victim" && count > 4) {
    // Emit events until the benchmark kills this process.
    uint64_t *acknowledged = bm_acknowledged(arguments[4]);
    for (uint64_t step = 0; step < events; step++) {
      sink.received(step);
      bm_acknowledge(acknowledged, step + 1);
    }
    sink.finish();
  } else {
    return 2;
  }
  return 0;
}
