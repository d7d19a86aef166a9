// Functions whose machine code join_fast_path_test.sh reads.
#include <atomic>

#include "filch/pool/join.h"

namespace filch {

extern "C" {

void Left();
void Right();

void ProbeJoin() { Join(Left, Right); }

void ProbeLocked(std::atomic<int>* counter) { counter->fetch_add(1, std::memory_order_relaxed); }

}  // extern "C"

}  // namespace filch
