// Join: runs functions that may run at the same time, and waits for all.
//
// The calling thread runs the first itself and leaves the others in its deque;
// what no thief took meanwhile it runs too.  If nobody steals, a join costs a
// few plain stores: no allocation, no fence, no read-modify-write, and the
// functions are called directly.
//
//   std::int64_t Fib(int n) {
//     if (n < 2) return n;
//     std::int64_t a, b;
//     filch::Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
//     return a + b;
//   }
//
// Any thread.  Exceptions: Join returns when every function that was started
// has ended; then the first exception in argument order of those that were
// thrown is thrown again, and functions that had not started are dropped.  A
// stolen function of a cancelled context is dropped too.
//
// While it waits for a thief, the thread runs other tasks of its arena, and looks for
// them in the thief's deque first: what is there is part of what it waits for.
//
// Memory ordering: what the thread did before Join is visible to every function, and what
// the functions did is visible after it.
//
// After the "stack jobs" of Rayon and the direct task stack of Faxen's Wool; stealing back
// from the thief is leapfrogging, D. B. Wagner and B. G. Calder (1993).
#ifndef FILCH_POOL_JOIN_H_
#define FILCH_POOL_JOIN_H_

#include <cstddef>
#include <cstdint>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>

#include "filch/pool/current_slot.h"
#include "filch/pool/in_memory.h"
#include "filch/pool/join_latch.h"
#include "filch/pool/kept_exception.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/topology/catch_all.h"
#include "filch/topology/forced_inline.h"

namespace filch {

namespace pool_internal {

// The task of a join, on the stack of the one who waits for it.  Its latch is
// the last thing that a thief touches.
class JoinTask : public Task {
 public:
  JoinTask(const JoinTask&) = delete;
  JoinTask& operator=(const JoinTask&) = delete;

  bool complete() const { return latch_.complete(); }
  // The owner is in the wait table, and about to sleep.
  void AnnounceWaiter() { latch_.AnnounceWaiter(); }
  // The slot whose thread runs the task, or -1: nobody has said so yet, or it is
  // complete.
  int Thief() const { return latch_.Thief(); }
  // What the stolen function threw, or null.  The owner, once, when complete.
  std::exception_ptr TakeException();
  // Throws that, if there is any.
  void Rethrow();

 protected:
  JoinTask(Function function, Context* context) : Task(function, context) {}
  ~JoinTask() = default;

  // A complete task may be spawned again.
  void Renew() { latch_.Renew(); }
  // For a thread that has stolen the task: calls work(), keeps what that throws, and completes the
  // task, which may be gone when this returns.
  template <typename Work>
  void CompleteAfter(const Work& work) {
    bool threw = false;
    FILCH_TRY { work(); }
    FILCH_CATCH_ALL {
      exception_.Fill(std::current_exception());
      threw = true;
    }
    Complete(threw);
  }
  // The same for the thread in the slot, and says before who has it.
  template <typename Work>
  void RunForOwner(const Slot& thief, const Work& work) {
    latch_.NoteThief(thief.index);
    CompleteAfter(work);
  }
  // The same for a task that is a part of what its owner does itself: what the thief spawns first
  // is shared unasked, for whoever was without work until now will look for more meanwhile.
  template <typename Work>
  void RunAsThief(Slot& thief, const Work& work) {
    thief.deque.RequestOwnExposure();
    RunForOwner(thief, work);
  }

 private:
  void Complete(bool threw);

  JoinLatch latch_;
  KeptException exception_;  // filled if the latch says that it threw
};

// How a join calls a function; whoever has more to do around each call brings another one.
struct PlainCall {
  template <typename F>
  static void Run(F& f) {
    f();
  }
};

// F is a reference or a value: see KeptFunction.
template <typename F, typename Call>
class JoinTaskFor final : public JoinTask {
 public:
  JoinTaskFor(std::remove_reference_t<F>& function, Context* context)
      : JoinTask(&JoinTaskFor::RunStolen, context), f_(function) {}

 private:
  static Task* RunStolen(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<JoinTaskFor&>(task);
    self.RunAsThief(execution.slot, [&] {
      if (!execution.cancelled) Call::Run(self.f_);
    });
    return nullptr;
  }

  F f_;
};

// How a task keeps a function that it was given as F&&.  A temporary that can be
// copied by its bytes is copied, for a thief's use: the compiler then builds it
// in the task, and its original nowhere.
template <typename F>
using KeptFunction =
    std::conditional_t<!std::is_lvalue_reference_v<F> && std::is_trivially_copyable_v<F> &&
                           std::is_copy_constructible_v<F>,
                       F, F&>;

// The end of a join that was not undisturbed.  True: the task came back and is
// the caller's to run.  False: a thief has run it.
bool FinishJoin(Slot& slot, JoinTask& task);
// The same, and throws what the function threw if a thief has run it.
bool EndJoin(Slot& slot, JoinTask& task);
// The two halves of FinishJoin: the task came back, or was stolen; and the wait for the thief.
bool TakeBackJoin(Slot& slot, JoinTask& task);
void AwaitJoin(Slot& slot, JoinTask& task);
// The same for a task that is about as long as what the caller has just done: what its thief has
// shared can wait as long as the end of that.
void AwaitPeer(Slot& slot, JoinTask& task);

// The same for a task that may be in the deque of a thread in another arena; the
// calling thread is in `slot`.
bool FinishJoinIn(Arena& arena, Slot& slot, JoinTask& task);

// The first function threw: the second is dropped, or waited for.
void AbandonJoin(Slot& slot, JoinTask& task) noexcept;

// Joins two functions on the slot of the calling thread.
template <typename CallA, typename CallB, typename A, typename B>
inline __attribute__((always_inline)) void JoinTwo(Slot& slot, A&& a, B&& b) {
  JoinTaskFor<KeptFunction<B>, CallB> task(b, slot.context);
  const InMemory<JoinTask*> noted(&task);  // compared once, and a register less to save
  slot.Spawn(task);
  FILCH_TRY { CallA::Run(a); }
  FILCH_CATCH_ALL {
    AbandonJoin(slot, *noted.Get());
    FILCH_RETHROW;
  }
  if (__builtin_expect(slot.deque.TryPop(noted.Get()), 1)) {
    CallB::Run(b);
    return;
  }
  if (EndJoin(slot, *noted.Get())) CallB::Run(b);
}

// Joins the first kCount of some functions, which a tuple of references forwards, on the slot
// of the calling thread.  All but the first lie in its deque while that runs, and the last is
// the oldest: a thief takes several at once, and not one that leaves it the others.  If they
// are many, who asks for more gets it after each of them: to look costs a nanosecond, and four of
// 1 us take nine tenths of the time without (two virtual AMD EPYC processors, 2026-11-29).
template <typename Call, std::size_t kCount, typename Functions>
inline __attribute__((always_inline)) void JoinFirst(Slot& slot, Functions& functions) {
  constexpr std::size_t kMany = 4;
  pool_internal::JoinTwo<PlainCall, Call>(
      slot,
      [&]() __attribute__((always_inline)) {
        if constexpr (kCount == 2) {
          Call::Run(std::get<0>(functions));
        } else {
          pool_internal::JoinFirst<Call, kCount - 1>(slot, functions);
        }
        if constexpr (std::tuple_size_v<Functions> >= kMany) slot.ExposeIfAsked();
      },
      std::get<kCount - 1>(std::move(functions)));
}

// Joins on the slot of the calling thread.
template <typename Call, typename A, typename B, typename... More>
inline __attribute__((always_inline)) void JoinOn(Slot& slot, A&& a, B&& b, More&&... more) {
  if constexpr (sizeof...(More) == 0) {
    pool_internal::JoinTwo<Call, Call>(slot, std::forward<A>(a), std::forward<B>(b));
  } else {
    std::tuple<A&&, B&&, More&&...> all(std::forward<A>(a), std::forward<B>(b),
                                        std::forward<More>(more)...);
    pool_internal::JoinFirst<Call, sizeof...(More) + 2>(slot, all);
  }
}

}  // namespace pool_internal

// Calls all the functions, which may run at the same time; see above.  Inlined, so that the
// functions' captures need not be passed on by way of memory.
template <typename A, typename B, typename... More>
FILCH_FORCED_INLINE void Join(A&& a, B&& b, More&&... more) {
  pool_internal::JoinOn<pool_internal::PlainCall>(pool_internal::CurrentSlot(), std::forward<A>(a),
                                                  std::forward<B>(b), std::forward<More>(more)...);
}

}  // namespace filch

#endif  // FILCH_POOL_JOIN_H_
