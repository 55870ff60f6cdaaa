// C functions for tests that are not available in Swift.
#pragma once

#include <stdint.h>

// Calls fork(2), which is unavailable in Swift. The child continues with one thread.
int lts_fork(void);

// Starts a program on a new pseudo-terminal with 50 rows, in a directory (or, for NULL, in the current one). The program is searched in the
// environment's PATH. Sets the descriptor of the controlling side. Returns the process, or a negative error number.
int lts_spawn_on_terminal(
    const char *program, char *const arguments[], char *const environment[], const char *directory, int columns,
    int *controller);

// Makes pwrite occasionally write only a part or fail with EINTR, from this call on. lts_short_writes returns the number of such calls.
void lts_write_shortly(uint64_t seed);
uint64_t lts_short_writes(void);
