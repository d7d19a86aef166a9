// PrivateBorder: where the private part of a SplitDeque begins, and how owner
// and thieves agree about it without the owner paying for that.
//
// Part of SplitDeque.  From the slot split() onwards all items are the owner's, which
// removes them without the lock.  A thief that wants some of them (under the
// lock) first warns the owner off, then looks at what the owner has left, and
// then moves the border.  The owner lowers its bottom first, then looks whether
// it is warned off.  Dekker's pattern, with all cost on the thief's side.
//
// Owner only: OwnerMayTake.  Under the deque's lock: WarnOff, MoveTo.  Both:
// split.
// Memory ordering: an asymmetric fence between what either side stores and what it
// loads after that (E5 of README.md).
#ifndef FILCH_DEQUE_PRIVATE_BORDER_H_
#define FILCH_DEQUE_PRIVATE_BORDER_H_

#include <atomic>
#include <cstdint>
#include <functional>

namespace filch {
namespace deque_internal {

template <typename Slot, typename Atomics>
class PrivateBorder {
 public:
  explicit PrivateBorder(Slot* split)
      : split_(split), fast_limit_(Atomics::IsAsymmetric() ? split : Never()) {}
  PrivateBorder(const PrivateBorder&) = delete;
  PrivateBorder& operator=(const PrivateBorder&) = delete;

  // The first private slot.
  Slot* split() const { return split_.load(std::memory_order_relaxed); }

  // Whether the owner, which has just lowered its bottom to `slot`, may remove
  // what is there without the lock.  Either the lowered bottom is visible to a
  // thief that forces an exposure, and it leaves `slot` alone, or the limit
  // that the thief raised before its heavy fence, or what it lowered the limit
  // to afterwards, is visible here.
  bool OwnerMayTake(const Slot* slot) const {
    Atomics::LightFence();  // E5: against HeavyFence in WarnOff.
    return !std::less<const Slot*>()(slot, fast_limit_.load(std::memory_order_relaxed));
  }

  // From here on the owner asks for the lock below `limit`: what bottom says
  // afterwards is what it has left, until MoveTo.
  void WarnOff(Slot* limit) {
    if (always_asks()) return;
    fast_limit_.store(limit, std::memory_order_relaxed);
    Atomics::HeavyFence();  // E5: against LightFence in OwnerMayTake.
  }

  void MoveTo(Slot* split) {
    split_.store(split, std::memory_order_relaxed);
    if (!always_asks()) fast_limit_.store(split, std::memory_order_relaxed);
  }

 private:
  // Where fast removal is never allowed, because the fences do not pair up.
  static Slot* Never() {
    return reinterpret_cast<Slot*>(~std::uintptr_t{0});  // NOLINT(performance-no-int-to-ptr)
  }
  bool always_asks() const { return fast_limit_.load(std::memory_order_relaxed) == Never(); }

  typename Atomics::template Atomic<Slot*> split_;
  // The owner removes what is from here on without the lock: split_, except
  // higher while an exposure is being forced, and Never() without the fences.
  typename Atomics::template Atomic<Slot*> fast_limit_;
};

}  // namespace deque_internal
}  // namespace filch

#endif  // FILCH_DEQUE_PRIVATE_BORDER_H_
