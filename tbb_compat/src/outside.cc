#include "outside.h"

#include <mutex>
#include <utility>

#include "../include/oneapi/tbb/detail/_lone_context.h"
#include "../include/oneapi/tbb/detail/_task_group_context.h"
#include "../include/oneapi/tbb/detail/_task_prefix.h"
#include "filch/pool/first_use.h"
#include "filch/pool/late_end.h"
#include "filch/pool/process_mutex.h"
#include "filch/pool/slot.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
namespace {

using filch::pool_internal::ProcessMutex;
using filch::pool_internal::Slot;

class Outsides {
 public:
  Outside& Take() {
    const std::lock_guard<ProcessMutex> lock(mutex_);
    while (first_ != nullptr) {
      Outside& outside = *std::exchange(first_, first_->next);
      if (outside.context.untouched()) {
        outside.next = nullptr;
        return outside;
      }
      outside.next = std::exchange(spoilt_, &outside);
    }
    return *new Outside;
  }
  void Give(Outside& outside) {
    const std::lock_guard<ProcessMutex> lock(mutex_);
    outside.next = std::exchange(first_, &outside);
  }

 private:
  ProcessMutex mutex_;
  Outside* first_ = nullptr;
  Outside* spoilt_ = nullptr;  // cancelled, or with an exception, by what is over
};

Outsides& OutsidesOfThreads() {
  static filch::pool_internal::FirstUse<Outsides> outsides;
  return outsides.Get();
}
// Apart from the threads', which these make as new after a wait: a function knows nothing of the
// tasks that an earlier one has left behind.
Outsides& OutsidesOfFunctions() {
  static filch::pool_internal::FirstUse<Outsides> outsides;
  return outsides.Get();
}

// From within how many tasks, one inside the other, the thread has come to where it is
// outside of tasks: each time by way of an arena, another one or its own.
int LevelOutside() {
  int level = 0;
  for (const Slot* slot = filch::pool_internal::current_slot; slot != nullptr; slot = slot->outer) {
    level += slot->StepsIntoTasks();
  }
  return level;
}

// The calling thread's, the one of level 0 first.
thread_local Outside* own_outsides = nullptr;

void GiveOutsidesBack() {
  Outside* outside = std::exchange(own_outsides, nullptr);
  while (outside != nullptr) {
    OutsidesOfThreads().Give(*std::exchange(outside, outside->next));
  }
}

}  // namespace

Outside& ThisOutside() {
  Outside** place = &own_outsides;
  for (int level = LevelOutside();; --level) {
    if (*place == nullptr) {
      *place = &OutsidesOfThreads().Take();
      // Thread-local objects may use tasks when they are destroyed.
      filch::pool_internal::LateEnd::Expect<&GiveOutsidesBack>();
    }
    if (level == 0) return **place;
    place = &(*place)->next;
  }
}

task_group_context& OutermostContext(Slot& slot) {
  if (slot.context == nullptr) return ThisOutside().context;
  task_group_context& lasting = static_cast<d1::LoneContext*>(slot.context)->Lasting();
  slot.context = &lasting;
  return lasting;
}

}  // namespace r1

namespace d1 {

task_group_context& LoneContext::Lasting() {
  if (outside_ == nullptr) {
    outside_ = &r1::OutsidesOfFunctions().Take();
    if (is_group_execution_cancelled()) outside_->context.cancel_group_execution();
  }
  return outside_->context;
}

void LoneContext::GiveOutsideBack() { r1::OutsidesOfFunctions().Give(*outside_); }

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
