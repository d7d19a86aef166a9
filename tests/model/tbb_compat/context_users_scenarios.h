// The users of a context: the production source, put together as context_use.cc does.
//
// What a user works for, which the context stands below meanwhile, ends when the use is over, and
// nobody may look at it from then on.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_CONTEXT_USERS_SCENARIOS_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_CONTEXT_USERS_SCENARIOS_H_

#include <oneapi/tbb/detail/_context_users.h>

#include <atomic>
#include <cstdint>

#include "filch/tbb_compat/src/shared_contexts.h"
#include "tests/model/pool/model_sleep.h"
#include "tests/model/tbb_compat/model_context.h"

namespace filch {
namespace model {

// The context of a scenario, and what its users work for.
struct ContextUsersFixture {
  struct Others {
    static bool Begin(ModelContext& user, ModelContext* host) {
      return shared()->Begin(user, host);
    }
    static void End(ModelContext& user) { shared()->End(user); }
  };
  using Users = tbb::detail::d1::BasicContextUsers<ModelContext, Others>;
  struct Seams {
    using Users = ContextUsersFixture::Users;
    using Context = ModelContext;
    using Guest = ModelContext::Guest;
    using Mutex = ModelMutex;
    static void Pause() { rl::yield(1, $); }
  };
  using Shared = tbb::detail::d1::BasicSharedContexts<Seams>;

  static constexpr int kMostHosts = 4;

  static Shared*& shared() {
    static Shared* shared = nullptr;
    return shared;
  }

  ModelContext::Tree::Guests guests;
  ModelMutex mutex;
  Shared contexts{mutex};
  ModelContext context;
  ModelContext hosts[kMostHosts];
  // How many hosts end, or have.
  Atomic<int> ended;

  void SetUp() {
    ModelContext::guests() = &guests;
    shared() = &contexts;
  }
  std::uint32_t Notes() { return context.notes().load(std::memory_order_relaxed); }

  // What a task of the context does.
  void Work() {
    // It stands below one that is there, or has been sent home.
    if (context.parent() == nullptr) RL_ASSERT(ended.load(std::memory_order_relaxed) > 0);
    context.IsCancelled();
  }
  // The same where it is isolated.
  void WorkAlone() {
    RL_ASSERT((Notes() & Users::kStays) != 0);
    context.IsCancelled();
    RL_ASSERT(context.parent() == nullptr);
  }
  void EndHost(int host) {
    ended.fetch_add(1, std::memory_order_relaxed);
    hosts[host].End();
  }

  // An algorithm in a task of the host's, which ends with it.
  void Use(int host) {
    if (Users::Begin(context, &hosts[host])) {
      Work();
      Users::End(context);
    } else {
      WorkAlone();
    }
    EndHost(host);
  }
  // A group that is run in such a task, and waited for when that has ended.
  void UseLonger(int host) {
    const bool binds = Users::BeginToStay(context, &hosts[host]);
    EndHost(host);
    if (!binds) return WorkAlone();
    Work();
    Users::End(context);
  }
  // An algorithm outside of tasks.
  void UseOutside() {
    if (Users::Begin(context, nullptr)) {
      Work();
      Users::End(context);
    } else {
      WorkAlone();
    }
  }
  // An exception and a reset, say, which are in the same word.
  void TakeOtherNotes() {
    constexpr std::uint32_t kOther = 16;
    context.notes().fetch_or(kOther, std::memory_order_relaxed);
    context.notes().fetch_and(~kOther, std::memory_order_relaxed);
  }

  // When all users are gone.
  void CheckUnbound() {
    RL_ASSERT((Notes() & ~Users::kStays) == 0);
    RL_ASSERT(context.parent() == nullptr);
    RL_ASSERT(contexts.empty());
  }
};

// U1: users in tasks, each so many times.
template <int kUsers, int kTimes>
struct UsersInTasks : rl::test_suite<UsersInTasks<kUsers, kTimes>, kUsers>, ContextUsersFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    for (int i = 0; i < kTimes; ++i) Use(static_cast<int>(index) * kTimes + i);
  }
  void after() { CheckUnbound(); }
};

// U1: one of two goes on when what it began in has ended; the other one is in a task, or not.
template <bool kInTask>
struct UserStays : rl::test_suite<UserStays<kInTask>, 2>, ContextUsersFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) return UseLonger(0);
    if (!kInTask) return UseOutside();
    Use(1);
    Use(2);
  }
  void after() { CheckUnbound(); }
};

// U1: some come from outside of tasks: the context is isolated, or it is not while they are there.
template <int kOutside, int kTimes>
struct UsersOutside : rl::test_suite<UsersOutside<kOutside, kTimes>, kOutside + 1>,
                      ContextUsersFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index != 0) return UseOutside();
    for (int i = 0; i < kTimes; ++i) Use(i);
  }
  void after() { CheckUnbound(); }
};

// U1: the other parts of the notes change meanwhile.
struct NotesChange : rl::test_suite<NotesChange, 3>, ContextUsersFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 2) return TakeOtherNotes();
    Use(static_cast<int>(index));
  }
  void after() { CheckUnbound(); }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_CONTEXT_USERS_SCENARIOS_H_
