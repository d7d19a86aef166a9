// HeldWait: a wait that one thread begins and another one ends.
#ifndef FILCH_TESTS_POOL_HELD_WAIT_H_
#define FILCH_TESTS_POOL_HELD_WAIT_H_

#include <atomic>
#include <string>
#include <thread>

#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"

namespace filch {

class HeldWait {
 public:
  // Waits until End, as `wait` waits for a group.  One thread, once.
  template <typename Wait>
  void Begin(const Wait& wait) {
    TaskGroup group;
    group.Add();
    group_ = &group;
    wait(group);
  }
  void Begin() {
    Begin([](TaskGroup& group) { group.Wait(); });
  }
  // Another thread, which waits for the first.
  void UntilBegun() const {
    while (group_.load() == nullptr) std::this_thread::yield();
  }
  // The same; one, once.
  void End() {
    UntilBegun();
    group_.load()->Withdraw();
  }

 private:
  std::atomic<TaskGroup*> group_{nullptr};
};

// Until a thread sleeps in a slot of the pool.  It goes to sleep by itself; if it did not,
// this would not end.
inline void UntilOneSleeps(const Pool& pool) {
  while (pool.Dump().find("a thread, asleep") == std::string::npos) std::this_thread::yield();
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_HELD_WAIT_H_
