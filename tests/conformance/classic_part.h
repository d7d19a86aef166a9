// A part of a program that was written for TBB 2020.
#ifndef FILCH_TESTS_CONFORMANCE_CLASSIC_PART_H_
#define FILCH_TESTS_CONFORMANCE_CLASSIC_PART_H_

#include <cstdint>

// Sums [begin, end) with tasks of its own.
std::int64_t SumWithTasks(std::int64_t begin, std::int64_t end);

// The version that the part sees, at compile time and at run time.
int ClassicInterfaceVersion();
int ClassicRuntimeInterfaceVersion();

// The number of the calling thread in its arena, as the part sees it.
int ClassicThreadIndex();

#endif  // FILCH_TESTS_CONFORMANCE_CLASSIC_PART_H_
