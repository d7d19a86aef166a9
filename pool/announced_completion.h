// AnnouncedCompletion: something whose end is told to the wait table under its own address, if
// its waiter has announced itself.
//
// Scheduler-internal.  `Awaited` has AnnounceWaiter(): from then on whoever completes it wakes
// who waits for its address.  What derives from this says when it is complete.
#ifndef FILCH_POOL_ANNOUNCED_COMPLETION_H_
#define FILCH_POOL_ANNOUNCED_COMPLETION_H_

#include "filch/pool/completion.h"
#include "filch/pool/parker.h"
#include "filch/pool/wait_table.h"

namespace filch {
namespace pool_internal {

template <typename Awaited>
class AnnouncedCompletion : public Completion {
 public:
  void Enlist(Parker& parker) override {
    GlobalWaitTable().Enlist(waiter_, &awaited_, parker);
    awaited_.AnnounceWaiter();
  }
  // The announcement stays: it costs the next waiter a wake-up at most.
  void Delist() override { GlobalWaitTable().Delist(waiter_); }

 protected:
  explicit AnnouncedCompletion(Awaited& awaited) : awaited_(awaited) {}
  ~AnnouncedCompletion() = default;

  const Awaited& awaited() const { return awaited_; }

 private:
  Awaited& awaited_;
  WaitTable::Waiter waiter_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ANNOUNCED_COMPLETION_H_
