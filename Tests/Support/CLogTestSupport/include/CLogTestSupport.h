// C functions for tests that are not available in Swift.
#pragma once

#include <stdint.h>

// Calls fork(2), which is unavailable in Swift. The child continues with one thread.
int lts_fork(void);

// Makes pwrite occasionally write only a part or fail with EINTR, from this call on. lts_short_writes returns the number of such calls.
void lts_write_shortly(uint64_t seed);
uint64_t lts_short_writes(void);
