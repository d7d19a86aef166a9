// Who gets an arena anew, against the threads that its last owner's tasks have left there: the
// production source of looker.h, task_queue.h and the deque, put together as arena.cc does.
#ifndef FILCH_TESTS_MODEL_POOL_LOOKER_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_LOOKER_SCENARIOS_H_

#include <atomic>
#include <cstdint>

#include "filch/deque/split_deque.h"
#include "filch/deque/steal_result.h"
#include "filch/pool/looker.h"
#include "filch/pool/task_queue.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

struct LookersFixture {
  struct Task {
    Task* link() const { return next; }
    void set_link(Task* link) { next = link; }
    static std::uint64_t isolation() { return 0; }

    Plain<Task*> next;
    // What the task spawns, or null.
    Task* child = nullptr;
  };
  struct Slot {
    // What lies here and can be taken by all.
    pool_internal::BasicTaskQueue<Task, PoolModelAtomics, ModelMutex> tasks;
    pool_internal::BasicLooker<PoolModelAtomics> looker;
    MutableAtomic<bool> occupied;
    // Written by its thread with each task, and by who gets the arena anew.
    Plain<int> runs;
  };

  static constexpr int kSlots = 3;

  Slot slots[kSlots];
  // Of a thread that has left it; unless it is part of the scenario nobody looks there.
  SplitDeque<Task*, PoolModelAtomics> deque{0, 4};
  bool has_deque = false;
  bool takes_isolated = false;
  Task parent;
  Task child;
  Task grandchild;

  // As ForgetOwner.
  class Inside {
   public:
    explicit Inside(const LookersFixture& test) : test_(test) {}

    bool LooksBusy() const {
      for (const Slot& slot : test_.slots) {
        if (!slot.tasks.Empty()) return true;
      }
      return test_.has_deque && test_.deque.Inspect() != decltype(deque)::Contents::kEmpty;
    }
    static int UsedSlots() { return kSlots; }
    const Slot& SlotAt(int index) const { return test_.slots[index]; }
    static void Relax() { rl::yield(1, $); }
    static constexpr int kMostLooks = 1;

   private:
    const LookersFixture& test_;
  };
  void GetArena() {
    if (!pool_internal::NobodyHasTasks<PoolModelAtomics>(Inside(*this))) return;
    RL_ASSERT(left.load(std::memory_order_relaxed) == 0);
    for (Slot& slot : slots) slot.runs = 0;
  }
  // How many of the last owner's tasks are not over.
  Atomic<int> left;

  // As TryOccupy.
  void Come(int own) {
    RL_ASSERT(!slots[own].occupied.exchange(true, std::memory_order_acquire));
    slots[own].looker.Come();
  }
  void Leave(int own) { slots[own].occupied.store(false, std::memory_order_release); }
  // A worker has come, and has looked in vain.
  void Pause(int own) {
    Come(own);
    slots[own].looker.BeginPause();
  }
  bool RunOne(int own) {
    for (Slot& slot : slots) {
      Task* const task = takes_isolated ? slot.tasks.PopIsolated(0) : slot.tasks.Pop();
      if (task == nullptr) continue;
      Run(own, *task);
      return true;
    }
    if (!has_deque) return false;
    const StealResult<Task*> loot = deque.Steal();
    if (loot.status != StealStatus::kStolen) return false;
    Run(own, *loot.item);
    return true;
  }
  void Run(int own, Task& task) {
    slots[own].runs += 1;
    if (task.child != nullptr) Spawn(own, *task.child);
    left.fetch_sub(1, std::memory_order_relaxed);
  }
  void Spawn(int own, Task& task) {
    if (!has_deque) return slots[own].tasks.Push(task);
    deque.Push(&task);
    deque.Expose();
  }
  // A worker that was in a pause looks again.
  void LookAgain(int own) {
    slots[own].looker.EndPause();
    RunAll(own);
  }
  // A worker runs what there is, and has nothing then.
  void RunAll(int own) {
    while (RunOne(own)) {
    }
    slots[own].looker.BeginPause();
  }
};

// What the last task lies in: a queue, or one of which only those of an isolation are taken, or
// a deque.
enum class LastTask { kQueued, kIsolated, kInDeque };

// O2: a worker takes it.
template <LastTask kWhere>
struct LookerTakesOne : rl::test_suite<LookerTakesOne<kWhere>, 2>, LookersFixture {
  void before() {
    left.store(1, std::memory_order_relaxed);
    has_deque = kWhere == LastTask::kInDeque;
    takes_isolated = kWhere == LastTask::kIsolated;
    if (has_deque) {
      deque.Push(&parent);
      deque.Expose();
    } else {
      slots[2].tasks.Push(parent);
    }
    Pause(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      LookAgain(0);
    } else {
      GetArena();
    }
  }
  void after() { RL_ASSERT(left.load(std::memory_order_relaxed) == 0); }
};

// O2: a worker takes what the last one has spawned that had a task.
struct TaskGoesOn : rl::test_suite<TaskGoesOn, 3>, LookersFixture {
  void before() {
    left.store(2, std::memory_order_relaxed);
    parent.child = &child;
    Pause(0);
    Come(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      LookAgain(0);
    } else if (index == 1) {
      Run(1, parent);
      RunAll(1);
    } else {
      GetArena();
    }
  }
  void after() { RL_ASSERT(left.load(std::memory_order_relaxed) == 0); }
};

// O2: a thread comes, runs what there is, leaves something behind and goes; or stays.
template <bool kGoes>
struct OneComes : rl::test_suite<OneComes<kGoes>, 3>, LookersFixture {
  void before() {
    left.store(2, std::memory_order_relaxed);
    parent.child = &child;
    slots[2].tasks.Push(parent);
    Pause(0);
  }
  void thread(unsigned index) {
    if (index == 0) {
      LookAgain(0);
    } else if (index == 1) {
      Come(1);
      RunOne(1);
      if (kGoes) return Leave(1);
      RunAll(1);
    } else {
      GetArena();
    }
  }
};

// O2: a thread comes to an empty slot, runs what a worker has just spawned, leaves something behind
// and goes.
struct OneComesBetween : rl::test_suite<OneComesBetween, 3>, LookersFixture {
  void before() {
    left.store(3, std::memory_order_relaxed);
    parent.child = &child;
    child.child = &grandchild;
    Come(1);
  }
  void thread(unsigned index) {
    if (index == 0) {
      Come(0);
      RunOne(0);
      Leave(0);
    } else if (index == 1) {
      Run(1, parent);
      RunAll(1);
    } else {
      GetArena();
    }
  }
};

// O2: a thread comes, runs what there is, leaves something in its deque and goes.
struct OneLeaves : rl::test_suite<OneLeaves, 2>, LookersFixture {
  void before() {
    left.store(2, std::memory_order_relaxed);
    has_deque = true;
    parent.child = &child;
    slots[2].tasks.Push(parent);
  }
  void thread(unsigned index) {
    if (index == 0) {
      Come(1);
      RunOne(1);
      Leave(1);
    } else {
      GetArena();
    }
  }
  void after() { RL_ASSERT(left.load(std::memory_order_relaxed) == 1); }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_LOOKER_SCENARIOS_H_
