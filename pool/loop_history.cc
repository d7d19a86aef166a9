#include "filch/pool/loop_history.h"

#include <new>
#include <utility>

#include "filch/pool/first_use.h"
#include "filch/pool/late_end.h"

namespace filch {
namespace pool_internal {

__thread LoopHistory* LoopHistory::own_ = nullptr;

namespace {

// Whether that of the calling thread is destroyed.
thread_local bool owner_is_gone = false;

}  // namespace

// Of the calling thread's.
class LoopHistory::Owner {
 public:
  ~Owner() {
    owner_is_gone = true;
    GiveBack();
  }
  static void GiveBack() { delete std::exchange(own_, nullptr); }
};

void LoopHistory::OutliveWhatFollows() { static thread_local const Owner owner; }

__attribute__((noinline)) LoopHistory& LoopHistory::Make() {
  OutliveWhatFollows();
  own_ = new LoopHistory;
  if (owner_is_gone) {
    // For a loop in the destructor of a thread-local object that is older than the owner.
    static FirstUse<const LateEnd> late_end;
    late_end.Get([](void* memory) { return ::new (memory) LateEnd(&Owner::GiveBack); }).Expect();
  }
  return *own_;
}

}  // namespace pool_internal
}  // namespace filch
