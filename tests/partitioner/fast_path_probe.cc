// Loops over a partition, compiled on their own, for fast_path_test.sh to read.
#include "filch/partitioner/stealing_range_partitioner.h"

namespace filch {
namespace {

using StealingPartition = StealingRangePartitioner<long>::PartitionType;

// What the compiler must take for a body that reads and writes any memory.
inline void Body(long index) { asm volatile("" : : "r"(index) : "memory"); }

}  // namespace

extern "C" {

void ProbeForEach(StealingPartition* partition) {
  partition->ForEach([](long index) { Body(index); });
}

void ProbeRangeFor(StealingPartition* partition) {
  for (long index : *partition) Body(index);
}

// Has its position in memory; shows that the count counts.
void ProbeInMemory(long* next, const long* end) {
  for (; *next != *end; ++*next) Body(*next);
}

}  // extern "C"

}  // namespace filch
