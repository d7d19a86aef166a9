// Those who run something in a group, in several places, and those who wait for it: the production
// source of whether its context is bound, with that of its count (pool/group_count.h), put together
// as task_group does.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_GROUP_BINDING_SCENARIOS_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_GROUP_BINDING_SCENARIOS_H_

#include <oneapi/tbb/detail/_group_binding.h>

#include <atomic>
#include <ostream>

#include "filch/pool/group_count.h"
#include "filch/pool/group_signals.h"
#include "tests/model/pool/model_sleep.h"
#include "tests/model/tbb_compat/context_users_scenarios.h"
#include "tests/model/tbb_compat/model_context.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// For the checker's reports.
inline std::ostream& operator<<(std::ostream& stream,
                                BasicGroupBinding<filch::model::PoolModelAtomics>::State state) {
  return stream << static_cast<int>(state);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

namespace filch {
namespace model {

// Whose the group's context is.
enum class GroupContext { kOwn, kOfCaller };

// A group, and what those work for that run something in it.
struct GroupBindingFixture : ContextUsersFixture {
  using Binding = tbb::detail::d1::BasicGroupBinding<PoolModelAtomics>;

  // As task_group, for a thread that works for `current`.
  class Group {
   public:
    Group(GroupBindingFixture& test, ModelContext* current) : test_(test), current_(current) {}

    bool IsComplete() const { return test_.count.IsComplete(); }
    Binding::State Bind() {
      if (!test_.is_own) {
        return Users::BeginToStay(test_.context, current_) ? Binding::State::kForUser
                                                           : Binding::State::kVisit;
      }
      if (current_ == nullptr) {
        test_.context.set_parent(nullptr);
        return Binding::State::kAlone;
      }
      if (!current_->IsOrIsBelow(test_.context)) test_.guest.Visit(test_.context, *current_);
      return Binding::State::kVisit;
    }
    void Unbind(Binding::State state) {
      if (state == Binding::State::kForUser) {
        Users::End(test_.context);
      } else {
        BringHome();
      }
    }
    void BringHome() {
      if (!test_.is_own) return;
      if (test_.guest.is_visiting()) test_.guest.Leave();
      test_.context.set_parent(&test_.home);
    }
    static void Pause() { rl::yield(1, $); }

   private:
    GroupBindingFixture& test_;
    ModelContext* const current_;
  };

  struct NoArena {};

  pool_internal::BasicGroupSignals<PoolModelAtomics> signals;
  pool_internal::BasicGroupCount<NoArena, PoolModelAtomics> count;
  Binding binding;
  // Where the group was made, which may be over: nobody looks at it unless he works for it.
  ModelContext home;
  ModelContext::Guest guest;
  bool is_own = true;
  bool is_home_over = true;

  void SetUp(GroupContext whose, bool home_is_over) {
    ContextUsersFixture::SetUp();
    is_own = whose == GroupContext::kOwn;
    is_home_over = home_is_over;
    if (is_own) context.set_parent(&home);
    if (is_home_over) {
      home.End();
    } else {
      context.BeMovedByAll();
    }
  }

  // The first thread is in the slot where the group was made.
  void CountSpawned(unsigned thread) {
    if (thread == 0) {
      count.SpawnedAtHome();
    } else {
      count.SpawnedRemotely();
    }
  }
  void CountDone(unsigned thread) {
    if (thread == 0) {
      count.DoneAtHome(signals);
    } else {
      count.DoneRemotely(signals);
    }
  }
  // As task_group::run, and the task that it starts.
  void Run(unsigned thread, ModelContext* current) {
    if (binding.BindHere([&] { return current == &home; })) {
      CountSpawned(thread);
    } else {
      CountSpawned(thread);
      binding.BindElsewhere(Group(*this, current));
      CountSpawned(thread);
      CountDone(thread);
    }
    WorkInGroup();
    WorkInGroup();
    CountDone(thread);
  }
  void WorkInGroup() {
    RL_ASSERT(binding.IsBound());
    context.IsCancelled();
    const ModelContext* const parent = context.parent();
    // Where some are at home it is there, or where others are, or between these.
    if (!is_home_over) return;
    // Nobody brings it home, or takes it away, while it is used.
    RL_ASSERT(parent != &home);
    if (parent != nullptr || (Notes() & Users::kStays) != 0) return;
    RL_ASSERT(some_are_outside || ended.load(std::memory_order_relaxed) > 0);
  }
  bool some_are_outside = false;

  void Wait() {
    while (!count.IsComplete()) rl::yield(1, $);
    EndWait();
  }
  void EndWait() { binding.Unbind(Group(*this, nullptr)); }
  void CheckOver() {
    RL_ASSERT(count.IsComplete());
    EndWait();
    RL_ASSERT(!guest.is_visiting());
    if (is_own) {
      RL_ASSERT(context.parent() == (binding.IsBound() && some_are_outside ? nullptr : &home));
    } else {
      CheckUnbound();
    }
  }
};

// B1: two run something in a group, each so many times in another place, and wait for it.
template <int kTimes, GroupContext kWhose>
struct RunnersWait : rl::test_suite<RunnersWait<kTimes, kWhose>, 2>, GroupBindingFixture {
  void before() { SetUp(kWhose, true); }
  void thread(unsigned index) {
    for (int i = 0; i < kTimes; ++i) {
      const int place = static_cast<int>(index) * kTimes + i;
      Run(index, &hosts[place]);
      EndHost(place);
      Wait();
    }
  }
  void after() { CheckOver(); }
};

// B1: something has been run, and is over. Who waited for it is late, and runs something else in
// another place after that; meanwhile another thread runs something anew.
template <GroupContext kWhose, bool kRunnerIsAtHome>
struct WaitIsLate : rl::test_suite<WaitIsLate<kWhose, kRunnerIsAtHome>, 2>, GroupBindingFixture {
  void before() {
    SetUp(kWhose, true);
    Run(0, &hosts[0]);
  }
  void thread(unsigned index) {
    if ((index == 0) != kRunnerIsAtHome) {
      if (count.IsComplete()) EndWait();
      EndHost(0);
      Run(index, &hosts[1]);
      EndHost(1);
    } else {
      Run(index, &hosts[2]);
      EndHost(2);
    }
  }
  void after() { CheckOver(); }
};

// B1: one of two is outside of tasks.
template <GroupContext kWhose>
struct RunnerOutside : rl::test_suite<RunnerOutside<kWhose>, 2>, GroupBindingFixture {
  void before() {
    some_are_outside = true;
    SetUp(kWhose, true);
  }
  void thread(unsigned index) {
    Run(index, index == 0 ? nullptr : &hosts[0]);
    if (index == 1) EndHost(0);
    Wait();
  }
  void after() { CheckOver(); }
};

// B1: one is at home, another one elsewhere, and a third one waits.
struct RunnerAtHome : rl::test_suite<RunnerAtHome, 3>, GroupBindingFixture {
  void before() { SetUp(GroupContext::kOwn, false); }
  void thread(unsigned index) {
    if (index == 0) {
      Run(index, &home);
    } else if (index == 1) {
      Run(index, &hosts[0]);
      EndHost(0);
    } else if (count.IsComplete()) {
      EndWait();
    }
  }
  void after() { CheckOver(); }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_GROUP_BINDING_SCENARIOS_H_
