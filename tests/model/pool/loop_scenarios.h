// A loop whose units wait for each other, and threads that come to it by invitations: the
// production source of loop_parts.h and loop_share.h, put together as shared_loop.cc does.
//
// A unit that waits for another one does so in its body, where the thread helps nobody.  If
// that one is never begun, for nobody is invited any more, the model deadlocks.
#ifndef FILCH_TESTS_MODEL_POOL_LOOP_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_LOOP_SCENARIOS_H_

#include <cstdint>
#include <utility>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/loop_parts.h"
#include "filch/pool/loop_share.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// What stands for the deques, and for what happens in units: one lock, and one condition for
// everybody who waits for something.
class LoopFloor {
 public:
  // The invitations of one participant: in its deque, and taken by guests who are not done.
  struct Invitations {
    int offered = 0;
    int guests = 0;
  };

  void Lock() { mutex_.lock($); }
  void Unlock() { mutex_.unlock($); }
  // The others are below; with the lock held.
  void Wait() { changed_.wait(mutex_, false, $); }
  void Change() { changed_.notify_all($); }

  // Of the innermost participant of each thread; those further out have none in the deque.
  Invitations* innermost[4] = {};
  int units_begun = 0;

 private:
  struct ConditionTag;
  struct Condition : rl::condvar<ConditionTag> {
    Condition() { init(false, $); }
    ~Condition() { deinit($); }
  };

  rl::mutex mutex_;
  Condition changed_;
};

// kUnits units, the last kMeeting of which end when all of these have begun; kWanted
// invitations are kept open.
template <unsigned kThreads, std::uint32_t kUnits, std::uint32_t kMeeting, int kWanted>
struct LoopFixture {
  using Parts = pool_internal::BasicLoopParts<PoolModelAtomics>;

  Parts parts{static_cast<int>(kThreads), 0};
  LoopFloor floor;
  int meeting = 0;
  int runs[kUnits] = {};

  // The thread of RunShare.
  class Participant {
   public:
    Participant(LoopFixture& loop, unsigned self) : loop_(loop), self_(self) {
      loop.floor.Lock();
      outer_ = std::exchange(loop.floor.innermost[self], &invitations_);
      loop.floor.Unlock();
    }
    ~Participant() {
      loop_.floor.Lock();
      loop_.floor.innermost[self_] = outer_;
      loop_.floor.Unlock();
    }
    Participant(const Participant&) = delete;
    Participant& operator=(const Participant&) = delete;

    static bool IsCancelled() { return false; }
    static int Random(int n) { return n - 1; }  // whoever came last

    void Work(Parts::Part& part) {
      KeepSomeOpen();
      for (;;) {
        if (part.range.remaining() > 1) KeepSomeOpen();
        const UnitInterval unit = part.range.Claim(1);
        if (unit.empty()) return;
        loop_.RunUnit(unit.begin);
      }
    }
    void TakeInvitationsBack() {
      loop_.floor.Lock();
      while (invitations_.offered > 0) {
        --invitations_.offered;
        loop_.parts.CountTaken();
      }
      loop_.floor.Unlock();
    }
    static UnitInterval More() { return {}; }
    static std::uint32_t LeastToSteal() { return 1; }
    static bool LooksNoFurther() { return false; }
    static bool OwesNoLook() { return false; }
    void AwaitGuests() {
      loop_.HelpUntil(self_, [&] { return invitations_.guests == 0; });
    }

   private:
    void KeepSomeOpen() {
      if (loop_.parts.open_invitations() >= kWanted) return;
      loop_.parts.CountInvitation();
      loop_.floor.Lock();
      ++invitations_.offered;
      loop_.floor.Change();
      loop_.floor.Unlock();
    }

    LoopFixture& loop_;
    const unsigned self_;
    LoopFloor::Invitations invitations_;
    LoopFloor::Invitations* outer_;
  };

  void RunUnit(std::uint32_t unit) {
    floor.Lock();
    RL_ASSERT(++runs[unit] == 1);
    ++floor.units_begun;
    floor.Change();
    if (unit >= kUnits - kMeeting) {
      ++meeting;
      while (meeting < static_cast<int>(kMeeting)) floor.Wait();
    }
    floor.Unlock();
  }
  void Share(unsigned self, UnitInterval units) {
    Participant participant(*this, self);
    pool_internal::RunShare(parts, parts.at(static_cast<int>(self)), units, participant);
  }
  // Takes invitations until `is_over`, as a thread in WaitFor does.
  template <typename IsOver>
  void HelpUntil(unsigned self, const IsOver& is_over) {
    floor.Lock();
    while (!is_over()) {
      LoopFloor::Invitations* host = nullptr;
      for (LoopFloor::Invitations* const one : floor.innermost) {
        if (one != nullptr && one->offered > 0) host = one;
      }
      if (host == nullptr) {
        floor.Wait();
        continue;
      }
      --host->offered;
      ++host->guests;
      floor.Unlock();
      Accept(self);
      floor.Lock();
      --host->guests;
      floor.Change();
    }
    floor.Unlock();
  }
  // As Invitation::Accept and SharedLoop::Accept.
  void Accept(unsigned self) {
    parts.CountTaken();
    const UnitInterval units = parts.StealAfterTaking(&Participant::Random);
    if (units.empty()) return;
    parts.Publish(static_cast<int>(self));
    Share(self, units);
  }
  void Run(unsigned self) {
    if (self == 0) {
      Share(0, {0, kUnits});
      // The loop is gone: all units are done, and nobody is in it.
      for (const int run : runs) RL_ASSERT(run == 1);
    } else {
      HelpUntil(self, [&] { return floor.units_begun == static_cast<int>(kUnits); });
    }
  }
};

// L3, L2: threads, units and wanted invitations in these numbers.
template <unsigned kThreads, std::uint32_t kUnits, std::uint32_t kMeeting, int kWanted = 1>
struct LoopMeets : rl::test_suite<LoopMeets<kThreads, kUnits, kMeeting, kWanted>, kThreads>,
                   LoopFixture<kThreads, kUnits, kMeeting, kWanted> {
  void thread(unsigned index) { this->Run(index); }
};

using TwoMeet = LoopMeets<2, 2, 2>;
using TwoMeetAfterOne = LoopMeets<2, 3, 2>;
using ThreeMeet = LoopMeets<3, 3, 3>;
using ThreeMeetAfterOne = LoopMeets<3, 4, 3>;
using ThreeMeetOfSeveralInvited = LoopMeets<3, 4, 3, 2>;

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_LOOP_SCENARIOS_H_
