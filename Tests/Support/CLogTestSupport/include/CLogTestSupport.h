// What tests need and Swift does not offer.
#pragma once

#include <stdint.h>

// fork(2), which Swift hides: the child goes on with one thread.
int lts_fork(void);

// From now on pwrite takes a part only, or is interrupted, now and then; and how often it was so far.
void lts_write_shortly(uint64_t seed);
uint64_t lts_short_writes(void);
