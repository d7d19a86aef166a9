#include "filch/pool/loop_history.h"

#include <utility>

#include "filch/pool/late_end.h"

namespace filch {
namespace pool_internal {

__thread LoopHistory* LoopHistory::own_ = nullptr;

void LoopHistory::GiveBack() { delete std::exchange(own_, nullptr); }

__attribute__((noinline)) LoopHistory& LoopHistory::Make() {
  own_ = new LoopHistory;
  LateEnd::Expect<&GiveBack>();
  return *own_;
}

}  // namespace pool_internal
}  // namespace filch
