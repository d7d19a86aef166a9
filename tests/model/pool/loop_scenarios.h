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
  bool sent = false;  // what was dealt
  bool dealt_is_done = false;

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
// invitations are kept open.  The first kDealt of them are sent to thread 1.
template <unsigned kThreads, std::uint32_t kUnits, std::uint32_t kMeeting, int kWanted,
          std::uint32_t kDealt>
struct LoopFixture {
  using Parts = pool_internal::BasicLoopParts<PoolModelAtomics>;

  Parts parts{static_cast<int>(kThreads), 0};
  LoopFloor floor;
  int meeting = 0;
  int runs[kUnits] = {};

  // The thread of RunShare.
  class Participant {
   public:
    enum class Kind { kHost, kAddressee, kGuest };

    Participant(LoopFixture& loop, unsigned self, Kind kind)
        : loop_(loop), self_(self), kind_(kind) {
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
      any_taken_ |= offered_ != invitations_.offered;
      offered_ = 0;
      while (invitations_.offered > 0) {
        --invitations_.offered;
        loop_.parts.CountTaken();
      }
      loop_.floor.Unlock();
    }
    static UnitInterval More() { return {}; }
    static std::uint32_t LeastToSteal() { return 1; }
    static bool LetOthersFinish() { return true; }
    // A dealt thread looks no further as long as it may, and the host as soon as it may.
    bool LooksNoFurther() {
      if (kind_ == Kind::kHost) return kDealt > 0 && loop_.DealtIsDone();
      return kind_ == Kind::kAddressee && !any_offered_;
    }
    bool OwesNoLook() {
      if (kind_ == Kind::kHost) return kDealt > 0 && loop_.DealtIsDone() && !any_taken_;
      return kind_ == Kind::kAddressee && !any_offered_;
    }
    void AwaitGuests() {
      loop_.HelpUntil(self_, [&] { return invitations_.guests == 0; });
    }

    void KeepSomeOpen() {
      if (loop_.parts.open_invitations() >= kWanted) return;
      loop_.parts.CountInvitation();
      loop_.floor.Lock();
      any_taken_ |= offered_ != invitations_.offered;
      any_offered_ = true;
      offered_ = ++invitations_.offered;
      loop_.floor.Change();
      loop_.floor.Unlock();
    }

   private:
    LoopFixture& loop_;
    const unsigned self_;
    const Kind kind_;
    int offered_ = 0;
    bool any_offered_ = false;
    bool any_taken_ = false;
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
  using Kind = typename Participant::Kind;

  bool DealtIsDone() {
    floor.Lock();
    const bool done = floor.dealt_is_done;
    floor.Unlock();
    return done;
  }
  void Note(bool& event) {
    floor.Lock();
    event = true;
    floor.Change();
    floor.Unlock();
  }
  void Share(unsigned self, UnitInterval units, Kind kind) {
    Participant participant(*this, self, kind);
    if (kDealt > 0 && kind == Kind::kHost) {
      participant.KeepSomeOpen();
      Note(floor.sent);
    }
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
  // As LoopInvitation::Accept and SharedLoop::Accept.
  void Accept(unsigned self) {
    parts.CountTaken();
    const UnitInterval units = parts.StealAfterTaking(&Participant::Random);
    if (units.empty()) return;
    parts.Publish(static_cast<int>(self));
    Share(self, units, Kind::kGuest);
  }
  void Run(unsigned self) {
    if (self == 0) {
      Share(0, {kDealt, kUnits}, Kind::kHost);
      if (kDealt > 0) HelpUntil(0, [&] { return floor.dealt_is_done; });
      // The loop is gone: all units are done, and nobody is in it.
      for (const int run : runs) RL_ASSERT(run == 1);
    } else {
      if (kDealt > 0 && self == 1) {
        HelpUntil(1, [&] { return floor.sent; });
        parts.Publish(1);
        Share(1, {0, kDealt}, Kind::kAddressee);
        Note(floor.dealt_is_done);
      }
      HelpUntil(self, [&] { return floor.units_begun == static_cast<int>(kUnits); });
    }
  }
};

// L3, L2: threads, units and wanted invitations in these numbers.
template <unsigned kThreads, std::uint32_t kUnits, std::uint32_t kMeeting, int kWanted = 1,
          std::uint32_t kDealt = 0>
struct LoopMeets : rl::test_suite<LoopMeets<kThreads, kUnits, kMeeting, kWanted, kDealt>, kThreads>,
                   LoopFixture<kThreads, kUnits, kMeeting, kWanted, kDealt> {
  void thread(unsigned index) { this->Run(index); }
};

using TwoMeet = LoopMeets<2, 2, 2>;
using TwoMeetAfterOne = LoopMeets<2, 3, 2>;
using ThreeMeet = LoopMeets<3, 3, 3>;
using ThreeMeetAfterOne = LoopMeets<3, 4, 3>;
using ThreeMeetOfSeveralInvited = LoopMeets<3, 4, 3, 2>;
using TwoMeetAfterDealt = LoopMeets<2, 3, 2, 1, 1>;
using ThreeMeetAfterDealt = LoopMeets<3, 5, 3, 1, 2>;
// The addressee comes again, as a guest, and its two units meet: the host, all of whose mail is
// done by then, looks for one of them, for it has taken back an invitation that was relied on.
using GuestMeetsHost = LoopMeets<2, 6, 2, 1, 1>;

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_LOOP_SCENARIOS_H_
