// The scenarios in which SplitDeque is model-checked.
//
// Rings start with room for two items, so that a handful goes through a growth
// and a wrap.  Each scenario is small enough to be searched completely with a
// few preemptions.
#ifndef FILCH_TESTS_MODEL_DEQUE_SPLIT_DEQUE_SCENARIOS_H_
#define FILCH_TESTS_MODEL_DEQUE_SPLIT_DEQUE_SCENARIOS_H_

#include "filch/deque/split_deque.h"
#include "tests/model/deque/ledger.h"

namespace filch {
namespace model {

template <typename Atomics = MutableAtomics, int kStart = 0>
struct SplitDequeFixture {
  SplitDeque<int, Atomics> deque{kStart, 4};
  Ledger ledger;

  void Push(int item) { deque.Push(ledger.Create(item), static_cast<std::uint64_t>(10 * item)); }
  bool Pop() {
    int item = 0;
    std::uint64_t meta = 0;
    if (!deque.Pop(&item, &meta)) return false;
    RL_ASSERT(meta == static_cast<std::uint64_t>(10 * item));
    ledger.Take(item);
    return true;
  }
  bool PopOf(int wanted) {
    int item = 0;
    std::int64_t gap = 0;
    if (!deque.PopOf(static_cast<std::uint64_t>(10 * wanted), kStart, &item, &gap)) return false;
    RL_ASSERT(item == wanted);
    ledger.Take(item);
    return true;
  }
  void PopAll() {
    while (Pop()) {
    }
  }
  void Steal() {
    const StealResult<int> loot = deque.Steal();
    if (loot.status != StealStatus::kStolen) return;
    RL_ASSERT(loot.meta == static_cast<std::uint64_t>(10 * loot.item));
    ledger.Take(loot.item);
  }
  bool LooksEmpty() const { return deque.Inspect() == SplitDeque<int, Atomics>::Contents::kEmpty; }
  void after() { ledger.AssertAllTaken(); }
};

// The owner exposes by itself while two thieves steal: reclaiming one shared
// item, reclaiming several, the last item, the ring wrapping round.
struct PoliteExposure : rl::test_suite<PoliteExposure, 3>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      deque.Expose();
      Push(2);
      deque.Expose();
      Pop();
      Push(3);
      deque.Expose();
      Pop();
      Push(4);
      Pop();
      deque.Expose();
      PopAll();
    } else {
      Steal();
      Steal();
    }
  }
  void after() { SplitDequeFixture::after(); }
};

// One shared item, one removal on each side.
struct SharedOneAndOne : rl::test_suite<SharedOneAndOne, 2>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      deque.Expose();
      Pop();
    } else {
      Steal();
    }
  }
  void after() {
    PopAll();
    SplitDequeFixture::after();
  }
};

// Two shared items, of which the owner takes back the newer.
struct TakeBack : rl::test_suite<TakeBack, 2>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      deque.Expose();
      deque.Expose();
      Pop();
    } else {
      Steal();
      Steal();
    }
  }
  void after() {
    PopAll();
    SplitDequeFixture::after();
  }
};

// The owner goes away, which shares all beside what thieves take already, and comes back.
struct GoneAndBack : rl::test_suite<GoneAndBack, 2>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      deque.Expose();
      Push(2);
      Push(3);
      deque.ExposeAll();
      Pop();
    } else {
      Steal();
      Steal();
    }
  }
  void after() {
    PopAll();
    SplitDequeFixture::after();
  }
};

// The owner takes the last shared item back and shares another: a thief that
// still holds the word of before must not take the one for the other.
struct LastSharedItem : rl::test_suite<LastSharedItem, 2>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      deque.Expose();
      Pop();
      Push(2);
      deque.Expose();
    } else {
      Steal();
      Steal();
    }
  }
  void after() {
    PopAll();
    SplitDequeFixture::after();
  }
};

// The ring grows while thieves hold the old one.
struct Growth : rl::test_suite<Growth, 2>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      deque.Expose();
      deque.Expose();
      Push(3);
      Push(4);
      deque.Expose();
      Push(5);
      PopAll();
    } else {
      Steal();
      Steal();
      Steal();
    }
  }
  void after() { SplitDequeFixture::after(); }
};

// The ring grows once, while a thief holds the old one.
struct GrowthAgainstOne : rl::test_suite<GrowthAgainstOne, 2>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      deque.Expose();
      Push(3);
    } else {
      Steal();
      Steal();
    }
  }
  void after() {
    PopAll();
    SplitDequeFixture::after();
  }
};

// One private item, which a thief wants exposed while the owner pops it.
template <typename Atomics>
struct ForceOneAndOne : rl::test_suite<ForceOneAndOne<Atomics>, 2>, SplitDequeFixture<Atomics> {
  using Fixture = SplitDequeFixture<Atomics>;

  void thread(unsigned index) {
    if (index == 0) {
      Fixture::Push(1);
      Fixture::Pop();
    } else {
      Fixture::deque.ForceExposure();
      Fixture::Steal();
    }
  }
  void after() {
    Fixture::PopAll();
    Fixture::after();
  }
};

// Two thieves force at once, and the second may meet the border that the first
// has just moved.
template <typename Atomics>
struct TwoForcers : rl::test_suite<TwoForcers<Atomics>, 3>, SplitDequeFixture<Atomics> {
  using Fixture = SplitDequeFixture<Atomics>;

  void thread(unsigned index) {
    if (index == 0) {
      Fixture::Push(1);
      Fixture::Push(2);
      Fixture::Pop();
    } else {
      Fixture::deque.ForceExposure();
      Fixture::Steal();
    }
  }
  void after() {
    Fixture::PopAll();
    Fixture::after();
  }
};

// The owner never exposes; thieves force it to, while it pops on its fast path.
template <typename Atomics>
struct ForcedExposure : rl::test_suite<ForcedExposure<Atomics>, 3>, SplitDequeFixture<Atomics> {
  using Fixture = SplitDequeFixture<Atomics>;

  void thread(unsigned index) {
    if (index == 0) {
      Fixture::Push(1);
      Fixture::Push(2);
      Fixture::Push(3);
      Fixture::Pop();
      Fixture::Push(4);
      Fixture::PopAll();
    } else {
      Fixture::deque.ForceExposure();
      Fixture::Steal();
      Fixture::Steal();
    }
  }
  void after() { Fixture::after(); }
};

// From the last index of a ring on: the second private item lies beyond the ring's end, and
// is copied to where thieves look for it when it is shared, by the owner or by force.
template <typename Atomics>
struct BeyondTheEnd : rl::test_suite<BeyondTheEnd<Atomics>, 2>, SplitDequeFixture<Atomics, 3> {
  using Fixture = SplitDequeFixture<Atomics, 3>;

  void thread(unsigned index) {
    if (index == 0) {
      Fixture::Push(1);
      Fixture::Push(2);
      Fixture::deque.Expose();
      Fixture::Pop();
      Fixture::Push(3);
      Fixture::deque.Expose();
    } else {
      Fixture::Steal();
      Fixture::deque.ForceExposure();
      Fixture::Steal();
    }
  }
  void after() {
    Fixture::PopAll();
    Fixture::after();
  }
};

// The owner needs more room, and in the larger ring all but one item lie beyond the end; it
// shares them, and takes some back, while a thief has them in view.
struct OverTheEnd : rl::test_suite<OverTheEnd, 2>, SplitDequeFixture<MutableAtomics, 7> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      Push(3);
      deque.Expose();
      Pop();
      Pop();
      Push(4);
    } else {
      Steal();
      deque.ForceExposure();
      Steal();
    }
  }
  void after() {
    PopAll();
    SplitDequeFixture::after();
  }
};

// A join whose task may be exposed by force meanwhile: exactly one of the two
// sides runs it, and a refused TryPop leaves it to Pop or to the thief.
template <typename Atomics>
struct JoinAgainstForce : rl::test_suite<JoinAgainstForce<Atomics>, 2>, SplitDequeFixture<Atomics> {
  using Fixture = SplitDequeFixture<Atomics>;

  void Join(int item) {
    Fixture::Push(item);
    if (Fixture::deque.TryPop(item)) {
      Fixture::ledger.Take(item);
    } else {
      Fixture::Pop();
    }
  }
  void thread(unsigned index) {
    if (index == 0) {
      Fixture::Push(1);
      Join(2);
      Join(3);
      Fixture::PopAll();
    } else {
      Fixture::deque.ForceExposure();
      Fixture::Steal();
      Fixture::deque.ForceExposure();
      Fixture::Steal();
    }
  }
  void after() { Fixture::after(); }
};

// The owner takes an item that is not its newest, while a thief shares by force that item, or
// what comes down into its place.
template <typename Atomics>
struct OutOfTheMiddle : rl::test_suite<OutOfTheMiddle<Atomics>, 2>, SplitDequeFixture<Atomics> {
  using Fixture = SplitDequeFixture<Atomics>;

  void thread(unsigned index) {
    if (index == 0) {
      Fixture::Push(1);
      Fixture::Push(2);
      Fixture::Push(3);
      Fixture::PopOf(2);
      int item = 0;
      std::uint64_t meta = 0;
      while (Fixture::deque.Pop(&item, &meta)) {
        RL_ASSERT(item != 2);  // PopOf has taken it, or has found that the thief had
        Fixture::ledger.Take(item);
      }
    } else {
      Fixture::deque.ForceExposure();
      Fixture::Steal();
      Fixture::Steal();
    }
  }
  void after() { Fixture::after(); }
};

// The owner takes a shared item that is not its newest, and shares as many again: a thief that
// still holds the word of before must not take one for the other.
template <int kWanted>
struct OutOfTheShared : rl::test_suite<OutOfTheShared<kWanted>, 2>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      Push(3);
      deque.Expose();
      PopOf(kWanted);
      Push(4);
      deque.Expose();
    } else {
      Steal();
      Steal();
    }
  }
  void after() {
    PopAll();
    SplitDequeFixture::after();
  }
};

// A thief that refuses: the predicate's verdict is about the item at the top,
// never about one that has gone.
struct Refusal : rl::test_suite<Refusal, 3>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      deque.Expose();
      Push(2);
      deque.Expose();
      Pop();
      Push(3);
      deque.Expose();
      PopAll();
    } else if (index == 1) {
      Steal();
    } else {
      const StealResult<int> loot = deque.StealIf([](std::uint64_t meta) { return meta != 10; });
      if (loot.status == StealStatus::kStolen) {
        RL_ASSERT(loot.item != 1);
        ledger.Take(loot.item);
      }
    }
  }
  void after() { SplitDequeFixture::after(); }
};

// One thief that refuses, while the owner takes the item it was asked about.
struct RefusalOfOne : rl::test_suite<RefusalOfOne, 2>, SplitDequeFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      deque.Expose();
      Pop();
      Push(2);
      deque.Expose();
    } else {
      const StealResult<int> loot = deque.StealIf([](std::uint64_t meta) { return meta != 10; });
      if (loot.status != StealStatus::kStolen) return;
      RL_ASSERT(loot.item == 2);
      ledger.Take(loot.item);
    }
  }
  void after() {
    PopAll();
    SplitDequeFixture::after();
  }
};

// Before a thief sleeps: either the owner sees that it does, or the thief sees what was pushed
// before.
template <int kStart = 0>
struct CertificateFixture : SplitDequeFixture<MutableAtomics, kStart> {
  Atomic<int> sleeping;
  bool warned = false;
  bool saw_nothing = false;

  void OwnerLooks() {
    MutableAtomics::LightFence();
    warned = sleeping.load(std::memory_order_relaxed) != 0;
  }
  void AnnounceSleep() {
    sleeping.store(1, std::memory_order_relaxed);
    MutableAtomics::HeavyFence();
  }
  void ThiefLooks() {
    AnnounceSleep();
    saw_nothing = this->LooksEmpty();
  }
  void after() {
    RL_ASSERT(warned || !saw_nothing);
    SplitDequeFixture<MutableAtomics, kStart>::after();
  }
};

// The item moves from the private to the shared part meanwhile.
struct Certificate : rl::test_suite<Certificate, 3>, CertificateFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      OwnerLooks();
      deque.Expose();
    } else if (index == 1) {
      ThiefLooks();
    } else {
      deque.ForceExposure();
    }
  }
  void after() {
    Steal();
    CertificateFixture::after();
  }
};

// A thief that may take one item alone looks for it behind another one, which is shared, stolen
// or both meanwhile, and takes what hides it.
struct BehindAnother : rl::test_suite<BehindAnother, 3>, CertificateFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      OwnerLooks();
      deque.Expose();
    } else if (index == 1) {
      AnnounceSleep();
      bool found = false;
      while (!found && deque.HasOf(20)) {
        const StealResult<int> loot = deque.Steal();
        if (loot.status == StealStatus::kStolen) {
          ledger.Take(loot.item);
          found = loot.item == 2;
        } else if (loot.status == StealStatus::kEmpty) {
          deque.ForceExposure();
        }
      }
      saw_nothing = !found;
    } else {
      const StealResult<int> loot = deque.StealIf([](std::uint64_t meta) { return meta == 10; });
      if (loot.status == StealStatus::kStolen) ledger.Take(loot.item);
    }
  }
  void after() {
    PopAll();
    CertificateFixture::after();
  }
};

// The owner's TryPop, which finds the item shared, has bottom lowered for a moment.
struct CertificateWhileJoining : rl::test_suite<CertificateWhileJoining, 2>, CertificateFixture<> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      OwnerLooks();
      deque.Expose();
      RL_ASSERT(!deque.TryPop(1));
    } else {
      ThiefLooks();
    }
  }
  void after() {
    Steal();
    CertificateFixture::after();
  }
};

// The owner's items, of which one lies beyond the ring's end, move into a larger ring.
struct CertificateWhileGrowing : rl::test_suite<CertificateWhileGrowing, 2>, CertificateFixture<3> {
  void thread(unsigned index) {
    if (index == 0) {
      Push(1);
      Push(2);
      OwnerLooks();
      Push(3);
      Push(4);
    } else {
      ThiefLooks();
    }
  }
  void after() {
    PopAll();
    CertificateFixture::after();
  }
};

// Nothing is there, and looks like it while the owner makes sure: its end is one below the
// ring's first place for a moment.
struct EmptyWhilePopping : rl::test_suite<EmptyWhilePopping, 2>, SplitDequeFixture<> {
  void before() {
    Push(1);
    Pop();
  }
  void thread(unsigned index) {
    if (index == 0) {
      RL_ASSERT(!Pop());
    } else {
      RL_ASSERT(LooksEmpty());
    }
  }
  void after() { SplitDequeFixture::after(); }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_SPLIT_DEQUE_SCENARIOS_H_
