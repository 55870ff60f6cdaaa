// A counter of a program's allocations, which replaces the allocator. All code of the program uses the replacement, including the
// Swift runtime.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Returns the number of heap blocks allocated by all threads so far: malloc, calloc, realloc and the aligned variants.
uint64_t lts_allocations(void);

// Returns whether this C library lets a program replace its allocator.
bool lts_counts_allocations(void);
