// Counts what a program allocates. A program that links this takes its memory through it, Swift's runtime included.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Blocks taken from the heap by all threads so far: malloc, calloc, realloc and the aligned kinds.
uint64_t lts_allocations(void);

// Whether this C library lets a program put itself before its allocator.
bool lts_counts_allocations(void);
