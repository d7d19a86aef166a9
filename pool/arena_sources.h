// ArenaSources: where a thread in a slot finds its next task.
//
// It answers NextTask's questions for one wait, or for a worker's stay in an
// arena: which isolation the thread is bound to, whether it serves the shared
// queue, whether it may steal, and whether it should stop looking at all.
#ifndef FILCH_POOL_ARENA_SOURCES_H_
#define FILCH_POOL_ARENA_SOURCES_H_

#include <cstdint>
#include <utility>

#include "filch/pool/arena.h"
#include "filch/pool/completion.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/stay.h"
#include "filch/pool/task.h"

namespace filch {
namespace pool_internal {

// Makes the own task that the thread in `slot` has just popped its newest again.
void PutBack(Slot& slot, Task& task, std::uint64_t isolation) noexcept;

// The newest own task of the thread in `slot` if it is a predecessor of `successor`;
// otherwise it stays where it is.
inline __attribute__((always_inline)) Choice PopSibling(Slot& slot, const Task& successor) {
  if (__builtin_expect(slot.NeedsAttention(), 0)) slot.Attend();
  // By parts: a Choice whose address is taken would be in memory.
  Task* task;
  std::uint64_t isolation;
  if (!slot.deque.Pop(&task, &isolation)) return {};
  if (__builtin_expect(task->successor() == &successor, 1)) {
    return {task, isolation, Rule::kOwnDeque};
  }
  PutBack(slot, *task, isolation);
  return {};
}

class ArenaSources {
 public:
  // What a thread may take beside its own deque and its mail.
  struct Scope {
    std::uint64_t isolation = 0;  // only tasks with this tag; 0 is any
    bool serves_queue = true;
    bool steals = true;

    // Nothing.
    static Scope OwnAlone(std::uint64_t isolation) { return {isolation, false, false}; }
  };

  // `awaited` is what the thread waits for, if there is something.
  ArenaSources(Slot& slot, const Scope& scope, const Completion* awaited = nullptr)
      : slot_(slot), scope_(scope), awaited_(awaited) {}
  // Of a worker's stay.
  ArenaSources(Slot& slot, const Scope& scope, Stay& stay)
      : slot_(slot), scope_(scope), stay_(&stay) {}

  const Scope& scope() const { return scope_; }
  Slot& slot() { return slot_; }
  // Whether TakeShared may find something.
  bool SeesQueued() const { return scope_.serves_queue && slot_.arena->HasQueued(); }
  // Whether TakeMail may.
  bool SeesMail() const { return scope_.isolation == 0 && !slot_.mailbox.Empty(); }
  // Whether Steal may, as far as that is seen at a glance.
  bool SeesStealable() const {
    return scope_.steals && scope_.isolation == 0 && slot_.arena->OnlyOtherShares(slot_);
  }
  void set_reach(Reach reach) { reach_ = reach; }
  // Of a worker in its stay, who has nothing further down its stack, either.
  void BeginPause() {
    if (stay_ != nullptr) slot_.looker.BeginPause();
  }
  void EndPause() {
    if (stay_ != nullptr) slot_.looker.EndPause();
  }
  void BeginSearch() {
    if (slot_.victims != nullptr) slot_.victims->BeginSearch();
  }
  bool ExpectsWork() { return std::exchange(slot_.expects_work, false); }
  void Insist(bool force) {
    // What an isolation needs may not be what they have.
    if (scope_.steals && scope_.isolation == 0) slot_.arena->InsistOnWork(slot_, force);
  }

  // --- what NextTask asks

  Choice Inherit(Task* task, Rule rule) { return {task, slot_.isolation, rule}; }

  void PushOwn(Task& task) { slot_.SpawnSurely(task); }

  // Inlined, and PopSibling too: a Choice that is returned by a call is in memory, and
  // tasks that a worker pops cost a fifth more.
  __attribute__((always_inline)) Choice PopOwn() {
    if (__builtin_expect(slot_.NeedsAttention(), 0)) slot_.Attend();
    if (__builtin_expect(IsRestricted(), 0)) return PopRestricted();
    Task* task;
    std::uint64_t isolation;
    if (!slot_.deque.Pop(&task, &isolation)) return {};
    if (task == nullptr) __builtin_unreachable();  // so the caller's look at it costs nothing
    return {task, isolation, Rule::kOwnDeque};
  }

  // The newest own task, if it is a predecessor of `successor`; in an isolation, and above
  // what was inherited, it is not looked for.
  __attribute__((always_inline)) Choice PopSibling(const Task& successor) {
    if (__builtin_expect(IsRestricted(), 0)) return {};
    return pool_internal::PopSibling(slot_, successor);
  }

  // Out of line, so that the rules before them compile to straight code.
  Choice TakeMail();
  Choice TakeShared();
  Choice Steal();

 private:
  // Whether not everything in the own deque may be taken, or its taker has to note something.
  bool IsRestricted() const {
    return (scope_.isolation | static_cast<std::uint64_t>(slot_.inherited)) != 0;
  }
  // The task that was found elsewhere, if the thread may begin with it; otherwise it is left
  // in the own deque, for others.
  Choice IfMayBegin(const Choice& found);
  // The newest task of the own deque that may be taken.
  Choice PopRestricted();
  // The newest own task of the isolation; those above it stay where they are.
  Choice PopIsolated();

  Slot& slot_;
  const Scope scope_;
  const Completion* const awaited_ = nullptr;
  Stay* const stay_ = nullptr;
  Reach reach_ = Reach::kOneThread;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ARENA_SOURCES_H_
