// A contender that makes one write(2) call per event, with 48-byte records (the mean size in the mix) that start with the step
// number.
#include "Contender.h"

class WriteSink {
  int file;

  void put(uint64_t step) {
    uint64_t record[6] = {step, 7, 7, 7, 7, 7};
    if (write(file, record, sizeof record) != sizeof record) abort();
  }

public:
  explicit WriteSink(const char *path) : file(open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {}
  void received(uint64_t step) { put(step); }
  void entered(uint64_t step) { put(step); }
  void redirected(uint64_t step) { put(step); }
  void finish() { close(file); }
};

int main(int count, char **arguments) { return contend<WriteSink>(count, arguments); }
