// The deques' fast paths, compiled on their own, for fast_path_test.sh to read.
#include <cstdint>

#include "filch/deque/chase_lev_deque.h"
#include "filch/deque/split_deque.h"

namespace filch {
namespace {

using Split = SplitDeque<int*>;
using ChaseLev = ChaseLevDeque<int*>;

}  // namespace

extern "C" {

void ProbeSplitPush(Split* deque, int* item) { deque->Push(item, 7); }

bool ProbeSplitPop(Split* deque, int** item, std::uint64_t* meta) { return deque->Pop(item, meta); }

bool ProbeSplitTryPop(Split* deque, int* item) { return deque->TryPop(item); }

// A join whose task nobody took.
bool ProbeSplitJoin(Split* deque, int* item) {
  deque->Push(item);
  if (deque->exposure_requested()) deque->Expose();
  return deque->TryPop(item);
}

void ProbeChaseLevPush(ChaseLev* deque, int* item) { deque->Push(item); }

bool ProbeChaseLevPop(ChaseLev* deque, int** item) { return deque->Pop(item); }

}  // extern "C"

}  // namespace filch
