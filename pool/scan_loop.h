// ScanLoop: the order of work in a parallel scan for few threads.
//
// Threads take blocks of units from left to right.  If everything left of a block
// is summed when it is taken, it is scanned at once, for good.  Else it is only
// summed, and finished later, when the sum of everything left of it is known, by
// whoever has time.  Nobody waits for a block, and what is summed is scanned twice:
// so a thread sums only if it can neither scan the next block for good nor finish
// another, and nobody sums the last unit, for nothing is right of it.  A scan that
// nobody joins passes once over its units; if two threads are equally fast at both, a
// third of the units is summed at the least.  If the last thread that comes finds more
// than one block to finish, they are shared in a second loop.
//
// What it takes to make and to chain a sum decides how long blocks are (SumCost).  A thread makes
// a sum before it takes the block for it, so that others can go on meanwhile; and goes on with the
// sum of the last block, if that is done and nobody has begun to chain it, until it is long enough,
// or while there are many.  If what is left is not worth another sum, who comes for it leaves.
// When all have left, half of it is scanned; and by what that took, the rest may be worth a loop
// after all.
//
// The chain of sums is that of the single-pass scan of Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016), for threads
// that come and go: there, who is early looks back and waits.
//
// Each block takes the lock two or three times, so many threads would wait for it:
// TwoPassScan is for those.
//
// Scheduler-internal; RunScan calls it.
//
// Memory ordering: all state but a hint is under a lock, which orders Chain and Finish of a
// block after its Add, and after Finish of what lies left of it if that came first.  Between two
// runs of the loop it is that of their joins.
#ifndef FILCH_POOL_SCAN_LOOP_H_
#define FILCH_POOL_SCAN_LOOP_H_

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "filch/partitioner/batch_size.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/pace.h"
#include "filch/pool/scan.h"
#include "filch/pool/scan_body.h"
#include "filch/pool/scan_left_over.h"
#include "filch/pool/sleeping_lock.h"
#include "filch/pool/sum_cost.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

struct ScanClock {
  static std::uint64_t Now() { return Ticks(); }
};

template <typename Clock>
class BasicScanLoop final : public ScanBody {
 public:
  // For `threads` threads at most.  `sum` is that of nothing, and, when the loop is over and was
  // not cancelled, of everything.
  BasicScanLoop(Scan& scan, Scan::Sum& sum, std::uint32_t units, std::uint32_t threads)
      : ScanBody(scan.kind()),
        scan_(scan),
        units_(units),
        threads_(threads),
        batch_(threads, kBlockTicks),
        prefix_(sum) {}

  // Takes as many units, or some more, from the left end of what nobody has taken:
  // the numbers in `amount` mean nothing.  Any thread.
  void Run(UnitInterval amount, void** segment) override {
    // Whoever takes a block takes more than its amount, so most amounts come when there is
    // nothing left.
    if (nothing_to_do_.load(std::memory_order_relaxed)) return;  // R2: a hint
    std::unique_lock<SleepingLock> lock(lock_);
    if (*segment == nullptr) {
      *segment = this;
      if (amount.begin != 0) joined_ = true;
    }
    amounts_ += amount.size();
    for (;;) {
      if (!IsForSeveral()) {
        if (CanScanNext()) return ScanNext(TakeBlock(amount.size(), 1, units_), lock);
        if (!ready_.empty()) {
          FinishOne(lock);
          continue;
        }
      }
      if (next_ >= last()) break;
      if (LastGoesOn() || !spare_.empty()) {
        return SumNext(TakeBlock(amount.size(), kSummedPart, last()), lock);
      }
      if (!IsWorthASum()) break;
      MakeSpare(lock);
    }
    nothing_to_do_.store(true, std::memory_order_relaxed);  // R2: until Chain says otherwise
  }

  // What nobody has finished, from left to right: the blocks that were chained, and half of the
  // units that nobody has taken.
  LoopBody* GatherLeftOver(std::uint32_t* units) override {
    if (ready_.empty() && next_ == units_) return nullptr;
    left_over_ = std::make_unique<ScanLeftOver>(scan_, ready_.size() + 1, &Clock::Now);
    for (Block& block : ready_) left_over_->Add(block.units, *block.sum);
    const std::uint32_t rest = units_ - next_;
    const UnitInterval half{next_, next_ + (rest <= kFewUnits ? rest : rest / 2)};
    if (!half.empty()) left_over_->Add(half, prefix_);
    next_ = half.end;
    *units = left_over_->units();
    return left_over_.get();
  }
  std::uint32_t BeginAgain() override {
    ready_.clear();
    if (next_ == units_) return 0;
    NotePace(left_over_->pace_of_last());
    if (!IsWorthASum()) return 0;
    amounts_ = next_;
    joined_ = false;
    nothing_to_do_.store(false, std::memory_order_relaxed);  // R2: nobody is in the loop
    return units_ - next_;
  }

 private:
  struct Block {
    UnitInterval units;
    // Of its units, if they are summed; chained: of all left of it.
    std::unique_ptr<Scan::Sum> sum;
    std::uint64_t elapsed = 0;  // to sum them
  };

  // A block that is scanned for good should last this long, many times what the lock
  // costs.  One that is summed lasts a quarter, so that it is there when the other is
  // over.
  static constexpr std::uint64_t kBlockTicks = 30000;
  static constexpr std::uint32_t kSummedPart = 4;
  // Below this the next block is larger, however little is left: to hand over the lock, what it
  // guards and the units takes about as long.
  static constexpr std::uint64_t kShortTicks = 4000;
  // Not more sums are made, while one can go on, however long it takes until they are chained:
  // their memory is the program's.  Fewer would be too few to share among threads that come late
  // to what is left over.
  static constexpr std::uint32_t kSumsPerThread = 8;
  // Before a sum has been chained one goes on for so many blocks: what it takes may be much more
  // than to make one, but if the first block is long, the others should not have one sum in all.
  static constexpr std::uint64_t kUnchainedBlocks = 16;
  // What is left over is halved down to so many.
  static constexpr std::uint32_t kFewUnits = 4;
  // One may be of units that are unlike the others.
  static constexpr std::size_t kLastPaces = 4;

  std::uint32_t last() const { return units_ - 1; }
  bool AllIsChained() const { return !chaining_ && waiting_.empty(); }
  // Whether there is a next block, and everything left of it is summed.
  bool CanScanNext() const { return next_ != units_ && AllIsChained(); }
  // Whether the units left of the last one take as long as another sum is worth, at the slowest of
  // the last paces: to make one in vain takes less than to be alone in vain.
  bool IsWorthASum() const {
    const std::uint64_t least = cost_.least();
    if (least == 0 || pace().units == 0) return true;
    return std::any_of(paces_.begin(), paces_.end(), [&](const Pace& pace) {
      return pace.units != 0 && pace.TimeOf(last() - next_) >= least;
    });
  }
  // Whether the sum of the last block that is not chained is to go on: few others are made before
  // it is known what it takes to chain them.
  bool LastGoesOn() const {
    if (waiting_.empty() || waiting_.back().sum == nullptr) return false;
    if (waiting_.size() + ready_.size() >= kSumsPerThread * threads_) return true;
    const std::uint64_t least =
        cost_.has_chained() ? kBlockTicks / kSummedPart : kUnchainedBlocks * kBlockTicks;
    return waiting_.back().elapsed < std::max(least, cost_.worth());
  }
  // Whether nobody comes any more for what is left, which can be finished, and is more than one
  // block.
  bool IsForSeveral() const {
    if (amounts_ != units_ || next_ < last() || !AllIsChained()) return false;
    return ready_.size() + (units_ - next_) > 1;
  }

  // A `part`th of what the batch says, if somebody helps, of the units before `end`.
  UnitInterval TakeBlock(std::uint32_t amount, std::uint32_t part, std::uint32_t end) {
    const std::uint32_t rest = end - next_;
    const std::uint32_t size = joined_ ? std::max({amount, batch_.Next(rest) / part,
                                                   std::min(least_, rest / 2), Worth(rest) / part})
                                       : amount;
    const UnitInterval block{next_, next_ + std::min(size, rest)};
    next_ = block.end;
    return block;
  }
  // Of `rest` units those that are worth a sum, or an even share.
  std::uint32_t Worth(std::uint32_t rest) const {
    if (pace().units == 0) return 0;
    const std::uint64_t share = rest / (threads_ + 1);
    return static_cast<std::uint32_t>(std::min(pace().UnitsIn(cost_.worth()), share));
  }

  const Pace& pace() const { return paces_[newest_pace_]; }
  void NotePace(const Pace& pace) {
    newest_pace_ = (newest_pace_ + 1) % kLastPaces;
    paces_[newest_pace_] = pace;
  }

  void ScanNext(UnitInterval block, std::unique_lock<SleepingLock>& lock) {
    chaining_ = true;
    lock.unlock();
    const std::uint64_t begin = Clock::Now();
    scan_.Finish(block, prefix_);
    const std::uint64_t end = Clock::Now();
    lock.lock();
    Finished(block.size(), end - begin, 1);
    Chain(lock);
  }

  void SumNext(UnitInterval block, std::unique_lock<SleepingLock>& lock) {
    if (!LastGoesOn()) {
      waiting_.splice(waiting_.end(), spare_, spare_.begin());
      waiting_.back().units = {block.begin, block.begin};
    }
    Block& summed = waiting_.back();
    // Until it is there again the block is not summed.
    std::unique_ptr<Scan::Sum> sum = std::move(summed.sum);
    lock.unlock();
    const std::uint64_t begin = Clock::Now();
    scan_.Add(block, *sum);
    const std::uint64_t end = Clock::Now();
    lock.lock();
    // Where many threads help, nearly all blocks are summed, and tell how large they can be.
    Finished(block.size(), end - begin, kSummedPart);
    summed.units.end = block.end;
    summed.elapsed += end - begin;
    summed.sum = std::move(sum);
    if (chaining_) return;  // that thread will come to it
    chaining_ = true;
    Chain(lock);
  }

  // For whoever sums the next block.  All that can throw is done without the lock.
  void MakeSpare(std::unique_lock<SleepingLock>& lock) {
    lock.unlock();
    std::list<Block> made(1);
    const std::uint64_t begin = Clock::Now();
    made.front().sum = scan_.MakeSum();
    const std::uint64_t end = Clock::Now();
    lock.lock();
    cost_.Made(end - begin);
    spare_.splice(spare_.end(), made);
  }

  void Finished(std::uint32_t units, std::uint64_t elapsed, std::uint32_t part) {
    NotePace({units, elapsed});
    units = std::min(units, BatchSize::kMaxUnits);
    batch_.Finished(part * units, part * elapsed);
    least_ = elapsed < kShortTicks ? std::max(least_, 2 * units) : 1;
  }

  // The leftmost.
  void FinishOne(std::unique_lock<SleepingLock>& lock) {
    std::list<Block> now;
    now.splice(now.begin(), ready_, ready_.begin());
    lock.unlock();
    scan_.Finish(now.front().units, *now.front().sum);
    now.clear();
    lock.lock();
  }

  // Makes the leftmost blocks ready, as far as they are summed.  Only who has set
  // chaining_.
  void Chain(std::unique_lock<SleepingLock>& lock) {
    const auto is_not_summed = [](const Block& block) { return block.sum == nullptr; };
    for (;;) {
      const auto end = std::find_if(waiting_.begin(), waiting_.end(), is_not_summed);
      if (end == waiting_.begin()) break;
      std::list<Block> chain;
      chain.splice(chain.begin(), waiting_, waiting_.begin(), end);
      lock.unlock();
      const std::uint64_t begin = Clock::Now();
      for (const Block& block : chain) scan_.Chain(prefix_, *block.sum);
      const std::uint64_t elapsed = Clock::Now() - begin;
      lock.lock();
      cost_.Chained(elapsed / chain.size());
      ready_.splice(ready_.end(), chain);
      nothing_to_do_.store(false, std::memory_order_relaxed);  // R2: a hint
    }
    chaining_ = false;
    if (CanScanNext()) nothing_to_do_.store(false, std::memory_order_relaxed);  // R2: a hint
  }

  Scan& scan_;
  const std::uint32_t units_;
  const std::uint32_t threads_;

  // Nothing can be taken, or what can be is for several or not worth a sum; what the hint leaves
  // over is finished at the end.
  std::atomic<bool> nothing_to_do_{false};
  SleepingLock lock_;  // guards all that follows
  BatchSize batch_;
  SumCost cost_;
  std::array<Pace, kLastPaces> paces_{};  // of the last blocks; without units: of none
  std::size_t newest_pace_ = 0;
  std::uint32_t least_ = 1;  // units that a block should have
  std::uint32_t next_ = 0;   // the first unit that nobody has taken
  // For so many units threads came that were not sent away by the hint.
  std::uint32_t amounts_ = 0;
  bool joined_ = false;  // somebody helps
  // None takes memory while nobody helps.
  std::list<Block> waiting_;  // taken to be summed, not chained; from left to right
  std::list<Block> ready_;    // summed, chained, not finished; likewise
  std::list<Block> spare_;    // of no units, with sums of nothing
  bool chaining_ = false;     // a thread works with prefix_, without the lock
  // The sum of everything left of the first waiting block, or of the block that the
  // thread that is chaining scans.
  Scan::Sum& prefix_;
  std::unique_ptr<ScanLeftOver> left_over_;
};

using ScanLoop = BasicScanLoop<ScanClock>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SCAN_LOOP_H_
