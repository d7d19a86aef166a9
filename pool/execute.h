// ExecuteIn: runs a function inside an arena, on this thread if there is room.
//
//   const int n = filch::ExecuteIn(arena, [&] { return Count(data); });
//
// Memory ordering: what the calling thread did before is visible to the function, and what
// the function did is visible to the caller afterwards, whichever thread has run it (Q1, D2).
#ifndef FILCH_POOL_EXECUTE_H_
#define FILCH_POOL_EXECUTE_H_

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/arena_fp_scope.h"
#include "filch/pool/enter.h"
#include "filch/pool/outer_isolation.h"
#include "filch/pool/outermost_scope.h"
#include "filch/pool/slot.h"
#include "filch/topology/catch_all.h"

namespace filch {

namespace pool_internal {

// A function that somebody else owns.  Not absl::FunctionRef, so that programs need
// nothing but filch's own headers.
class WorkRef {
 public:
  template <typename F>
  explicit WorkRef(const F& f)
      : object_(&f), call_([](const void* object) { (*static_cast<const F*>(object))(); }) {}
  void operator()() const { call_(object_); }

 private:
  const void* object_;
  void (*call_)(const void*);
};

// The arena is full: a thread inside runs `work`, or this one as soon as a slot
// is free, or at once in a slot that it has there further down its stack; returns when it
// has run.  `work` does not throw.
void ExecuteWhenPossible(Arena& arena, WorkRef work);

template <typename F>
auto ExecuteInFull(Arena& arena, F&& f) -> decltype(f()) {
  using Result = decltype(f());
  std::exception_ptr exception;
  if constexpr (std::is_void_v<Result>) {
    const auto work = [&]() noexcept {
      FILCH_TRY { std::forward<F>(f)(); }
      FILCH_CATCH_ALL { exception = std::current_exception(); }
    };
    ExecuteWhenPossible(arena, WorkRef(work));
    if (exception) std::rethrow_exception(exception);
  } else {
    // A reference is carried as the address of what it refers to.
    using Stored =
        std::conditional_t<std::is_reference_v<Result>, std::remove_reference_t<Result>*, Result>;
    std::optional<Stored> result;
    const auto work = [&]() noexcept {
      FILCH_TRY {
        if constexpr (std::is_reference_v<Result>) {
          result = std::addressof(std::forward<F>(f)());
        } else {
          result.emplace(std::forward<F>(f)());
        }
      }
      FILCH_CATCH_ALL { exception = std::current_exception(); }
    };
    ExecuteWhenPossible(arena, WorkRef(work));
    if (exception) std::rethrow_exception(exception);
    if constexpr (std::is_reference_v<Result>) {
      return static_cast<Result>(**result);
    } else {
      return *std::move(result);
    }
  }
}

}  // namespace pool_internal

// Runs f() in a slot of the arena and returns what it returns, or throws what it
// throws.  A thread that is in the arena already calls f where it is.  Another one takes a
// free slot; if there is none, it goes back to the slot that it has in the arena further
// down its stack, if any, and else sleeps until a thread inside, when it next looks for a
// task, has run f, or a slot is free.  Whoever runs f has the arena's floating-point
// settings meanwhile.  Waits in f take enqueued tasks, and whatever the region is in which
// the caller is isolated, as those of a thread that has just come to the arena.  Any thread.
template <typename F>
auto ExecuteIn(Arena& arena, F&& f) -> decltype(f()) {
  using pool_internal::current_slot;
  if (current_slot != nullptr && current_slot->arena == &arena) {
    const pool_internal::OutermostScope scope(*current_slot);
    const pool_internal::NoIsolationScope no_isolation(*current_slot);
    const pool_internal::ArenaFpScope fp_scope(current_slot->fp_settings);
    return std::forward<F>(f)();
  }
  if (pool_internal::Slot* const slot = arena.slots().OccupyFromOutside()) {
    const pool_internal::EnterScope scope(*slot, pool_internal::EnterScope::Call());
    return std::forward<F>(f)();
  }
  return pool_internal::ExecuteInFull(arena, std::forward<F>(f));
}

}  // namespace filch

#endif  // FILCH_POOL_EXECUTE_H_
