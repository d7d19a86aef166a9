// PrivateBorder: where the private part of a SplitDeque begins, and how owner
// and thieves agree about it without the owner paying for that.
//
// Part of SplitDeque.  From split() upwards all items are the owner's, which
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
#include <limits>

namespace filch {
namespace deque_internal {

template <typename Atomics>
class PrivateBorder {
 public:
  explicit PrivateBorder(std::int64_t split)
      : split_(split), fast_limit_(asymmetric_ ? split : kNever) {}
  PrivateBorder(const PrivateBorder&) = delete;
  PrivateBorder& operator=(const PrivateBorder&) = delete;

  // The first private index.
  std::int64_t split() const { return split_.load(std::memory_order_relaxed); }

  // Whether the owner, which has just lowered its bottom to `index`, may remove
  // what is there without the lock.  Either the lowered bottom is visible to a
  // thief that forces an exposure, and it leaves `index` alone, or the limit
  // that the thief raised before its heavy fence, or what it lowered the limit
  // to afterwards, is visible here.
  bool OwnerMayTake(std::int64_t index) const {
    Atomics::LightFence();  // E5: against HeavyFence in WarnOff.
    return index >= fast_limit_.load(std::memory_order_relaxed);
  }

  // From here on the owner asks for the lock below `limit`: what bottom says
  // afterwards is what it has left, until MoveTo.
  void WarnOff(std::int64_t limit) {
    if (!asymmetric_) return;  // then it always asks
    fast_limit_.store(limit, std::memory_order_relaxed);
    Atomics::HeavyFence();  // E5: against LightFence in OwnerMayTake.
  }

  void MoveTo(std::int64_t split) {
    split_.store(split, std::memory_order_relaxed);
    if (asymmetric_) fast_limit_.store(split, std::memory_order_relaxed);
  }

 private:
  // Where fast removal is never allowed, because the fences do not pair up.
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  const bool asymmetric_ = Atomics::IsAsymmetric();
  typename Atomics::template Atomic<std::int64_t> split_;
  // The owner removes indices from here on without the lock: split_, except
  // higher while an exposure is being forced, and kNever without the fences.
  typename Atomics::template Atomic<std::int64_t> fast_limit_;
};

}  // namespace deque_internal
}  // namespace filch

#endif  // FILCH_DEQUE_PRIVATE_BORDER_H_
