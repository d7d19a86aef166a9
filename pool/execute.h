// ExecuteIn: runs a function inside an arena, on this thread if there is room.
//
//   const int n = filch::ExecuteIn(arena, [&] { return Count(data); });
//
// Memory ordering: what the calling thread did before is visible to the function, and what
// the function did is visible to the caller afterwards, whichever thread has run it (Q1, D2).
#ifndef FILCH_POOL_EXECUTE_H_
#define FILCH_POOL_EXECUTE_H_

#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/kept_result.h"

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

// What ExecuteIn does with any function, compiled once.
void Execute(Arena& arena, WorkRef work);

}  // namespace pool_internal

// Runs f() in a slot of the arena and returns what it returns, or throws what it
// throws.  A thread that is in the arena already calls f where it is.  Another one takes a
// free slot; if there is none, it goes back to the slot that it has in the arena further
// down its stack, if any, and else sleeps until a thread inside, when it next looks for a
// task, has run f, or a slot is free.
//
// Wherever f runs, it is as on a thread that has just come to the arena: with the arena's
// floating-point settings, for no context, and in no isolated region, so that waits in it take
// whatever there is, enqueued tasks too.  Any thread.
template <typename F>
auto ExecuteIn(Arena& arena, F&& f) -> decltype(f()) {
  pool_internal::KeptResult<decltype(f())> result;
  const auto work = [&f, &result] { result.KeepOf(std::forward<F>(f)); };
  pool_internal::Execute(arena, pool_internal::WorkRef(work));
  return result.Take();
}

}  // namespace filch

#endif  // FILCH_POOL_EXECUTE_H_
