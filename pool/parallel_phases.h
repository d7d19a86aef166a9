// ParallelPhases: times in which work comes to an arena again and again, and what threads there
// that find none do beside them.
//
// In a phase they look around for a while before they sleep or leave; beside them, too, unless the
// arena was made to be left fast, or the last phase ended so (oneTBB's start_parallel_phase,
// end_parallel_phase and leave_policy).
//
// Any thread.
// Memory ordering: none; a hint how long to look for work (H2 of README.md).
#ifndef FILCH_POOL_PARALLEL_PHASES_H_
#define FILCH_POOL_PARALLEL_PHASES_H_

#include <atomic>

namespace filch {
namespace pool_internal {

class ParallelPhases {
 public:
  // `leave_fast`: threads leave at once unless there is a phase.
  explicit ParallelPhases(bool leave_fast) : leave_fast_(leave_fast) {}

  // Phases may overlap.
  void Start() {
    leave_once_.store(false, std::memory_order_relaxed);  // H2: a hint
    open_.fetch_add(1, std::memory_order_relaxed);        // H2: a hint
  }
  // With `leave_fast`, if there is no other phase, threads leave at once until a worker comes
  // again.
  void End(bool leave_fast = false) {
    if (leave_fast) leave_once_.store(true, std::memory_order_relaxed);  // H2: a hint
    open_.fetch_sub(1, std::memory_order_relaxed);                       // H2: a hint
  }
  // A worker comes: there is work again.
  void WorkerComes() {
    if (leave_once_.load(std::memory_order_relaxed)) {      // H2: a hint
      leave_once_.store(false, std::memory_order_relaxed);  // H2: a hint
    }
  }
  // Those that were left open are over, for another owner of the arena.
  void Forget() {
    leave_once_.store(false, std::memory_order_relaxed);  // H2: a hint
    open_.store(0, std::memory_order_relaxed);            // H2: a hint
  }

  // Whether threads that find no work leave at once.
  bool LeaveFast() const {
    return open_.load(std::memory_order_relaxed) == 0 &&                  // H2: a hint
           (leave_fast_ || leave_once_.load(std::memory_order_relaxed));  // H2: a hint
  }

 private:
  const bool leave_fast_;
  std::atomic<bool> leave_once_{false};
  std::atomic<int> open_{0};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_PARALLEL_PHASES_H_
