// C functions for tests that Swift does not offer.
#pragma once

#include <stdint.h>

// Calls fork(2), which is unavailable in Swift. The child continues with one thread.
int lts_fork(void);

// From now on, makes pwrite occasionally write only a part or fail with EINTR. lts_short_writes returns how often this happened.
void lts_write_shortly(uint64_t seed);
uint64_t lts_short_writes(void);
