// ScanLoop: the order of work in a parallel scan, a loop in which every part needs
// the sum of all parts left of it.
//
// Threads take blocks of units from left to right.  If everything left of a block
// is summed when it is taken, it is scanned at once, for good.  Else it is only
// summed, and finished later, when the sum of everything left of it is known, by
// whoever has time.  Nobody waits for a block, and what is summed is scanned twice:
// so a thread sums only if it can neither scan the next block for good nor finish
// another.  A scan that nobody joins passes once over its units; if two threads are
// equally fast at both, a third of the units is summed at the least.
//
// The chain of sums is that of the single-pass scan of Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back" (2016), for threads
// that come and go: there, who is early looks back and waits.
//
// ParallelScan is the usual way to it.  A Scan has these members; SumOf is called
// by any number of threads at once, Finish and Combine too, with other arguments:
//
//   using Sum = ...;                             // can be moved
//   Sum SumOf(UnitInterval block);
//   void Finish(UnitInterval block, Sum& sum);   // what is left of it becomes
//                                                // what includes it
//   Sum Combine(Sum& left, Sum right);           // may change nothing that Finish
//                                                // needs in `left`
//
// Memory ordering: all state is under a mutex, which orders Combine and Finish of a
// block after its SumOf, and after Finish of what lies left of it if that came first.
#ifndef FILCH_POOL_SCAN_LOOP_H_
#define FILCH_POOL_SCAN_LOOP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "filch/partitioner/batch_size.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/loop_body.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

struct ScanClock {
  static std::uint64_t Now() { return Ticks(); }
};

template <typename Scan, typename Clock = ScanClock>
class ScanLoop final : public LoopBody {
 public:
  using Sum = typename Scan::Sum;

  // For `threads` threads at most; `sum` is that of nothing.
  ScanLoop(Scan& scan, Sum sum, std::uint32_t units, std::uint32_t threads)
      : LoopBody(loop_kind<Scan>),
        scan_(scan),
        units_(units),
        batch_(threads, kBlockTicks),
        prefix_(std::move(sum)) {}

  // Takes as many units, or some more, from the left end of what nobody has taken:
  // the numbers in `amount` mean nothing.  Any thread.
  void Run(UnitInterval amount, void** segment) override {
    std::unique_lock<std::mutex> lock(mutex_);
    if (*segment == nullptr) {
      *segment = this;
      if (amount.begin != 0) joined_ = true;
    }
    for (;;) {
      if (next_ != units_ && !chaining_ && waiting_.empty()) {
        return ScanNext(TakeBlock(amount.size(), batch_.Next(units_ - next_)), lock);
      }
      if (first_ready_ == ready_.size()) break;
      FinishOne(lock);
    }
    if (next_ != units_) SumNext(TakeBlock(amount.size(), batch_.Next(units_ - next_) / 4), lock);
  }

  // How many blocks are left over, and finishes them, each once.  When the loop is
  // over.
  std::uint32_t left_over() const {
    return static_cast<std::uint32_t>(ready_.size() - first_ready_);
  }
  void FinishLeftOver(std::uint32_t i) {
    Ready& block = ready_[first_ready_ + i];
    scan_.Finish(block.units, block.left_of_it);
  }

  // The sum of everything, when the loop is over and was not cancelled.
  Sum TakeSum() { return std::move(prefix_); }

 private:
  struct Waiting {
    UnitInterval units;
    std::optional<Sum> sum;
  };
  struct Ready {
    UnitInterval units;
    Sum left_of_it;
  };

  // A block that is scanned for good should last this long, many times what the mutex
  // costs.  One that is summed lasts a quarter, so that it is there when the other is
  // over.
  static constexpr std::uint64_t kBlockTicks = 30000;

  UnitInterval TakeBlock(std::uint32_t amount, std::uint32_t if_joined) {
    const std::uint32_t size = joined_ ? std::max(amount, if_joined) : amount;
    const UnitInterval block{next_, next_ + std::min(size, units_ - next_)};
    next_ = block.end;
    return block;
  }

  void ScanNext(UnitInterval block, std::unique_lock<std::mutex>& lock) {
    chaining_ = true;
    lock.unlock();
    const std::uint64_t begin = Clock::Now();
    scan_.Finish(block, prefix_);
    const std::uint64_t end = Clock::Now();
    lock.lock();
    batch_.Finished(block.size(), end - begin);
    Chain(lock);
  }

  void SumNext(UnitInterval block, std::unique_lock<std::mutex>& lock) {
    Waiting& summed = waiting_.emplace_back(Waiting{block, std::nullopt});
    lock.unlock();
    Sum sum = scan_.SumOf(block);
    lock.lock();
    summed.sum.emplace(std::move(sum));
    if (chaining_) return;  // that thread will come to it
    chaining_ = true;
    Chain(lock);
  }

  // The leftmost.
  void FinishOne(std::unique_lock<std::mutex>& lock) {
    Ready now = std::move(ready_[first_ready_++]);
    if (first_ready_ == ready_.size()) {
      ready_.clear();
      first_ready_ = 0;
    }
    lock.unlock();
    scan_.Finish(now.units, now.left_of_it);
    lock.lock();
  }

  // Makes the leftmost blocks ready, as far as they are summed.  Only who has set
  // chaining_.
  void Chain(std::unique_lock<std::mutex>& lock) {
    while (!waiting_.empty() && waiting_.front().sum.has_value()) {
      const UnitInterval units = waiting_.front().units;
      Sum sum = std::move(*waiting_.front().sum);
      waiting_.pop_front();
      lock.unlock();
      Sum after = scan_.Combine(prefix_, std::move(sum));
      lock.lock();
      ready_.push_back(Ready{units, std::exchange(prefix_, std::move(after))});
    }
    chaining_ = false;
  }

  Scan& scan_;
  const std::uint32_t units_;

  std::mutex mutex_;
  BatchSize batch_;
  std::uint32_t next_ = 0;  // the first unit that nobody has taken
  bool joined_ = false;     // somebody helps
  // Neither takes memory while nobody helps.
  std::list<Waiting> waiting_;  // taken to be summed, not chained; from left to right
  std::vector<Ready> ready_;    // summed, chained; from first_ready_ on not finished
  std::size_t first_ready_ = 0;
  bool chaining_ = false;  // a thread works with prefix_, without the mutex
  // The sum of everything left of the first waiting block, or of the block that the
  // thread that is chaining scans.
  Sum prefix_;
};

}  // namespace pool_internal

// Scans all units and returns the sum of them, which means nothing if `context` is
// cancelled.  `sum` is that of nothing.  Exceptions as in RunIndexLoop.  Any thread.
template <typename Scan>
typename Scan::Sum RunScan(Scan& scan, typename Scan::Sum sum, std::uint32_t units,
                           Context& context) {
  using Loop = pool_internal::ScanLoop<Scan>;
  class LeftOver final : public LoopBody {
   public:
    explicit LeftOver(Loop& loop) : LoopBody(loop_kind<LeftOver>), loop_(loop) {}
    void Run(UnitInterval blocks, void**) override {
      for (std::uint32_t i = blocks.begin; i != blocks.end; ++i) loop_.FinishLeftOver(i);
    }

   private:
    Loop& loop_;
  };

  Loop loop(scan, std::move(sum), units, static_cast<std::uint32_t>(CurrentArena().concurrency()));
  // Who joins makes all that it takes be gone through twice.
  RunIndexLoop(loop, units, LoopSchedule::kAloneFirst, context);
  LeftOver left_over(loop);
  RunIndexLoop(left_over, loop.left_over(), LoopSchedule::kStealing, context);
  return loop.TakeSum();
}

}  // namespace filch

#endif  // FILCH_POOL_SCAN_LOOP_H_
