/// Counts the calling thread's heap allocations, for tests of code that must not make any.
#pragma once

/// The allocations that the calling thread has made since it began.
unsigned long allocation_count(void);

/// Whether allocations are counted on this system: with the GNU C library.
int allocations_are_counted(void);
