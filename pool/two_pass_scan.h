// TwoPassScan: the order of work in a parallel scan for many threads.
//
// The calling thread scans units for good, from the left end on, until help pays.  What is
// left then is cut into chunks, and threads go through them twice.  First each chunk is
// summed; but what follows on the calling thread what is scanned for good is scanned for good
// itself.  Then that thread chains the sums, and in the second pass the chunks that were
// summed are scanned, each with the sum of everything left of it.  A scan that nobody joins
// passes once over its units.
//
// Threads meet only in the joins of the two loops, so any number of them can help.  For few,
// ScanLoop goes over less of it twice: of two threads that are equally fast, each scans half
// of the chunks here, and then the second half is scanned again.
//
// Scheduler-internal; RunScan calls it, and says what a Scan is.
//
// Memory ordering: the joins of the loops order Combine of a chunk after its SumOf, and its
// Finish after both.
#ifndef FILCH_POOL_TWO_PASS_SCAN_H_
#define FILCH_POOL_TWO_PASS_SCAN_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"

namespace filch {
namespace pool_internal {

template <typename Scan>
class TwoPassScan final : public LoneLoop {
 public:
  using Sum = typename Scan::Sum;

  // For so many threads, under `context`; `sum` is that of nothing.
  TwoPassScan(Scan& scan, Sum sum, std::uint32_t threads, Context& context)
      : LoneLoop(loop_kind<Scan>),
        scan_(scan),
        threads_(threads),
        context_(context),
        prefix_(std::move(sum)) {}

  // Scans these units for good, which follow those of the last call.
  void Run(UnitInterval units, void** /*segment*/) override { scan_.Finish(units, prefix_); }

  // The rest, with whoever comes.
  void Share(UnitInterval rest) override {
    Cut(rest);
    FirstPass first = first_pass();
    filch::RunIndexLoop(first, first.units(), LoopSchedule::kStealingAtOnce, context_);
    if (!Chain()) return;
    SecondPass second = second_pass();
    filch::RunIndexLoop(second, second.units(), LoopSchedule::kStealingAtOnce, context_);
  }

  // The steps of that, in this order.
  void Cut(UnitInterval rest) {
    rest_ = rest;
    sums_ = std::vector<std::optional<Sum>>(std::min(rest.size(), kChunksPerThread * threads_));
  }
  // A loop over the chunks.
  class FirstPass;
  FirstPass first_pass() { return FirstPass(*this); }
  // Makes of the sum of each chunk that of everything left of it.  False: the scan is cancelled.
  bool Chain() {
    for (std::uint32_t chunk = finished_; chunk != chunks(); ++chunk) {
      std::optional<Sum>& sum = sums_[chunk];
      // What is cancelled may have left chunks out.
      if (!sum.has_value() || context_.IsCancelled()) return false;
      Sum after = scan_.Combine(prefix_, std::move(*sum));
      sum.emplace(std::exchange(prefix_, std::move(after)));
    }
    return true;
  }
  // A loop over the chunks that were summed.
  class SecondPass;
  SecondPass second_pass() { return SecondPass(*this); }

  // The sum of everything, when it is over and was not cancelled.
  Sum TakeSum() { return std::move(prefix_); }

 private:
  // Enough for threads that come late, or to chunks of different length, to share what is left.
  // Each costs a join in both passes.
  static constexpr std::uint32_t kChunksPerThread = 8;

  std::uint32_t chunks() const { return static_cast<std::uint32_t>(sums_.size()); }

  Scan& scan_;
  const std::uint32_t threads_;
  Context& context_;
  UnitInterval rest_;
  // Of each chunk: its sum, unless it was scanned for good; chained: that of all left of it.
  std::vector<std::optional<Sum>> sums_;
  std::uint32_t finished_ = 0;  // so many chunks, the first ones, were scanned for good at once
  Sum prefix_;  // of everything left of the first that was not; chained: of everything
};

template <typename Scan>
class TwoPassScan<Scan>::FirstPass final : public LoopBody {
 public:
  explicit FirstPass(TwoPassScan& scan)
      : LoopBody(loop_kind<FirstPass>),
        scan_(scan),
        // Copies: what all threads read lies apart from what the first one writes.
        parts_(scan.scan_),
        rest_(scan.rest_),
        sums_(scan.sums_.data()),
        units_(scan.chunks()) {}

  std::uint32_t units() const { return units_; }

  // A segment that is not null is that of the calling thread, which has the first chunk: no
  // other one gets it.
  void Run(UnitInterval chunks, void** segment) override {
    if (chunks.begin == 0) *segment = this;
    const bool for_good = *segment != nullptr;
    for (std::uint32_t i = chunks.begin; i != chunks.end; ++i) {
      const UnitInterval chunk = EvenShare(rest_, i, units_);
      if (for_good) {
        parts_.Finish(chunk, scan_.prefix_);
        ++scan_.finished_;
      } else {
        sums_[i].emplace(parts_.SumOf(chunk));
      }
    }
  }

 private:
  TwoPassScan& scan_;
  Scan& parts_;
  const UnitInterval rest_;
  std::optional<Sum>* const sums_;
  const std::uint32_t units_;
};

template <typename Scan>
class TwoPassScan<Scan>::SecondPass final : public LoopBody {
 public:
  explicit SecondPass(TwoPassScan& scan)
      : LoopBody(loop_kind<SecondPass>), scan_(scan), first_(scan.finished_) {}

  std::uint32_t units() const { return scan_.chunks() - first_; }

  void Run(UnitInterval chunks, void** /*segment*/) override {
    for (std::uint32_t i = first_ + chunks.begin; i != first_ + chunks.end; ++i) {
      std::optional<Sum>& sum = scan_.sums_[i];
      scan_.scan_.Finish(EvenShare(scan_.rest_, i, scan_.chunks()), *sum);
      sum.reset();  // by many threads, rather than by one in the end
    }
  }

 private:
  TwoPassScan& scan_;
  const std::uint32_t first_;  // chunk
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TWO_PASS_SCAN_H_
