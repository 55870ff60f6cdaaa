// The spdlog contender, which uses the multi-threaded file sink, either in the calling thread or through spdlog's queue and
// worker thread. All settings are spdlog's defaults: text lines, flushed when the buffer is full, and a queue of 8192 entries
// that blocks the caller when it is full.
#include <spdlog/async.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

#include "Contender.h"

class SpdlogSink {
  std::shared_ptr<spdlog::logger> logger;

public:
  explicit SpdlogSink(const char *path)
#if defined(ASYNCHRONOUS)
      : logger(spdlog::basic_logger_mt<spdlog::async_factory>("mix", path)) {}
#else
      : logger(spdlog::basic_logger_mt("mix", path)) {}
#endif

  void received(uint64_t step) {
    logger->info(
        "attempt.bytesReceived task={} attempt={} received={} expected={}", mix::task(step), (int)mix::attempt, step,
        (int)mix::expected);
  }
  void entered(uint64_t step) {
    logger->info(
        "delivery.entered task={} delivery={} callback={} queue={} main={}", mix::task(step), step, (int)mix::did_complete,
        mix::queue, false);
  }
  void redirected(uint64_t step) {
    logger->info(
        "attempt.redirectReceived task={} attempt={} transaction={} status={} host={} path={}", mix::task(step),
        (int)mix::attempt, (int)mix::transaction, (int)mix::status, mix::host, mix::path);
  }
  void finish() {
    logger.reset();
    spdlog::shutdown();
  }
};

int main(int count, char **arguments) { return contend<SpdlogSink>(count, arguments); }
