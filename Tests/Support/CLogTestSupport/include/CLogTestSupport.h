// What tests need and Swift does not offer.
#pragma once

// fork(2), which Swift hides: the child goes on with one thread.
int lts_fork(void);
