// ArenaHook: is told of threads that come to an arena and leave it.
//
// For facades whose programs prepare threads: per-thread storage, bindings,
// statistics.  A hook should be short: its thread does nothing else meanwhile.
//
// A stay of a thread in an arena is told to a hook as a pair: OnEnter before the
// thread takes its first task there, OnLeave when it goes, both on that thread
// while it is in its slot.  Of a thread that is inside when a hook is added, the hook
// hears before the thread runs what it has not spawned itself; of the thread that adds it,
// at once.  A stay that a hook did not hear of has no OnLeave, and a hook that is
// removed hears nothing more.
//
// Without hooks for it, coming to an arena costs two loads, leaving it one, and a task two,
// but for those that a wait finds in its own thread's deque.  Arenas share a few numbers
// (newest_hook.h): where another one with the same has hooks, a stay begins with a lock and a
// look at each of these.
//
//   class Counter final : public filch::ArenaHook {
//     void OnEnter(bool) noexcept override { ++inside; }
//     void OnLeave(bool) noexcept override { --inside; }
//   };
//   counter.Add(&arena);
//   ...
//   counter.Remove();
//
// Memory ordering: what a thread did before Add is visible to the hook's calls, and what these did
// after Remove, by the lock of the list.
#ifndef FILCH_POOL_ARENA_HOOK_H_
#define FILCH_POOL_ARENA_HOOK_H_

#include <cstdint>

#include "filch/pool/linked_list.h"

namespace filch {

class Arena;

namespace pool_internal {
struct Slot;
class HookList;
struct HookCalls;
}  // namespace pool_internal

class ArenaHook {
 public:
  ArenaHook() = default;
  ArenaHook(const ArenaHook&) = delete;
  ArenaHook& operator=(const ArenaHook&) = delete;

  // Begins to be told of threads in `arena`, or, if it is null, in every arena of every
  // pool; in the latter case not of arenas that a thread enters from within another one.  To
  // add a hook twice without removing it ends the process.  Throws std::bad_alloc, and then
  // the hook is not added.  Any thread.
  void Add(const Arena* arena);

  // Ends it, and waits for calls of the hook that run on other threads: afterwards none
  // runs or begins, except for those that the calling thread itself is in, from which the
  // hook may be removed and destroyed.  Threads that remove the hook from within calls of it
  // at the same time do not wait for each other, so one of them at most may destroy it, when
  // the others are done with it.  Two threads, each in a call of one hook, must not remove
  // each other's hooks.  Of a hook that was not added, only calls that still run are waited
  // for.  Any thread.
  void Remove();

 protected:
  virtual ~ArenaHook() {
    if (__builtin_expect(calls_ != nullptr, 0)) Forget();
  }

  // The calling thread has come to the arena, or is about to leave it; `worker` is
  // whether it is a worker of a pool.
  virtual void OnEnter(bool worker) noexcept = 0;
  virtual void OnLeave(bool worker) noexcept = 0;

 private:
  friend class pool_internal::HookList;

  void Forget();

  // All under the list's mutex.
  pool_internal::ListLink<ArenaHook> link_;
  const Arena* arena_ = nullptr;
  std::uint64_t number_ = 0;  // rises from hook to hook; 0: not added
  // From Add on, until nobody is in a call of the hook after Remove.
  pool_internal::HookCalls* calls_ = nullptr;
};

namespace pool_internal {

// The calling thread is a worker, from now on.
void MarkCallingThreadAsWorker();

// Tells the hooks that were not told of the stay in `slot`.  The thread in it; it
// must not count as one that searches, because a hook may take its time.
void TellHooksOfEntry(Slot& slot);
// Tells the hooks that were told of it that it ends.  The thread in it.
void TellHooksOfLeave(Slot& slot);

// Whether anybody has added a hook for this very arena.  Any thread.
bool ArenaHasHook(const Arena& arena);

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ARENA_HOOK_H_
