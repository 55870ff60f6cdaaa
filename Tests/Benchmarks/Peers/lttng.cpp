// The LTTng-UST contender, which requires a running session that records `mix:*`. LTTng's daemons write the trace.
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "lttng-mix.h"

#include "Contender.h"

class LTTngSink {
public:
  explicit LTTngSink(const char *) {}
  void received(uint64_t step) {
    lttng_ust_tracepoint(mix, received, mix::task(step), mix::attempt, step, mix::expected);
  }
  void entered(uint64_t step) {
    lttng_ust_tracepoint(mix, entered, mix::task(step), step, mix::did_complete, mix::queue, 0);
  }
  void redirected(uint64_t step) {
    lttng_ust_tracepoint(
        mix, redirected, mix::task(step), mix::attempt, mix::transaction, mix::status, mix::host, mix::path);
  }
  void finish() {}
};

int main(int count, char **arguments) { return contend<LTTngSink>(count, arguments); }
