#include "filch/pool/loop_history.h"

#include <utility>

namespace filch {
namespace pool_internal {

__thread LoopHistory* LoopHistory::own_ = nullptr;

// Of the calling thread's.  A loop in the destructor of a thread-local object that is older
// than it makes one that nobody owns.
class LoopHistory::Owner {
 public:
  ~Owner() { delete std::exchange(own_, nullptr); }
};

void LoopHistory::OutliveWhatFollows() { static thread_local const Owner owner; }

__attribute__((noinline)) LoopHistory& LoopHistory::Make() {
  OutliveWhatFollows();
  own_ = new LoopHistory;
  return *own_;
}

}  // namespace pool_internal
}  // namespace filch
