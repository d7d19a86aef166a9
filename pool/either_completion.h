// EitherCompletion: something that a thread waits for, or an event in an arena that lets it
// do something for that.
//
// An Event is a type with static functions, for any thread:
//
//   bool Has(const Arena& arena)          it has happened
//   const void* Key(const Arena& arena)   under which those who wait for it are woken
//   void Announce(Arena& arena)           from now on they are
//   void Withdraw(Arena& arena)           the opposite
//
// Memory ordering: the wait is announced and enlisted before it asks for the event; what
// orders that against who causes it is said where the event is.
#ifndef FILCH_POOL_EITHER_COMPLETION_H_
#define FILCH_POOL_EITHER_COMPLETION_H_

#include "filch/pool/completion.h"
#include "filch/pool/parker.h"
#include "filch/pool/wait_table.h"

namespace filch {

class Arena;

namespace pool_internal {

template <typename Event>
class EitherCompletion final : public Completion {
 public:
  EitherCompletion(Completion& awaited, Arena& arena) : awaited_(awaited), arena_(arena) {}

  bool IsComplete() const override { return awaited_.IsComplete() || Event::Has(arena_); }

  void Enlist(Parker& parker) override {
    awaited_.Enlist(parker);
    GlobalWaitTable().Enlist(waiter_, Event::Key(arena_), parker);
    Event::Announce(arena_);
  }

  void Delist() override {
    Event::Withdraw(arena_);
    GlobalWaitTable().Delist(waiter_);
    awaited_.Delist();
  }

 private:
  Completion& awaited_;
  Arena& arena_;
  WaitTable::Waiter waiter_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_EITHER_COMPLETION_H_
