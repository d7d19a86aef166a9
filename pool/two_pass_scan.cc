#include "filch/pool/two_pass_scan.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "filch/pool/loop_kind.h"

namespace filch {
namespace pool_internal {

void TwoPassScan::Run(UnitInterval units, void** /*segment*/) { scan_.Finish(units, prefix_); }

void TwoPassScan::Share(UnitInterval rest) {
  Cut(rest);
  FirstPass first = first_pass();
  RunIndexLoop(first, first.units(), LoopSchedule::kStealingAtOnce, context_);
  if (!Chain()) return;
  SecondPass second = second_pass();
  RunIndexLoop(second, second.units(), LoopSchedule::kStealingAtOnce, context_);
}

void TwoPassScan::Cut(UnitInterval rest) {
  rest_ = rest;
  sums_ =
      std::vector<std::unique_ptr<Scan::Sum>>(std::min(rest.size(), kChunksPerThread * threads_));
}

TwoPassScan::FirstPass TwoPassScan::first_pass() { return FirstPass(*this); }

bool TwoPassScan::Chain() {
  for (std::uint32_t chunk = finished_; chunk != chunks(); ++chunk) {
    // What is cancelled may have left chunks out.
    if (sums_[chunk] == nullptr || context_.IsCancelled()) return false;
    scan_.Chain(prefix_, *sums_[chunk]);
  }
  return true;
}

TwoPassScan::SecondPass TwoPassScan::second_pass() { return SecondPass(*this); }

TwoPassScan::FirstPass::FirstPass(TwoPassScan& scan)
    : LoopBody(loop_kind<FirstPass>),
      scan_(scan),
      // Copies: what all threads read lies apart from what the first one writes.
      parts_(scan.scan_),
      rest_(scan.rest_),
      sums_(scan.sums_.data()),
      units_(scan.chunks()) {}

void TwoPassScan::FirstPass::Run(UnitInterval chunks, void** segment) {
  if (chunks.begin == 0) *segment = this;
  const bool for_good = *segment != nullptr;
  for (std::uint32_t i = chunks.begin; i != chunks.end; ++i) {
    const UnitInterval chunk = EvenShare(rest_, i, units_);
    if (for_good) {
      parts_.Finish(chunk, scan_.prefix_);
      ++scan_.finished_;
    } else {
      sums_[i] = parts_.SumOf(chunk);
    }
  }
}

TwoPassScan::SecondPass::SecondPass(TwoPassScan& scan)
    : LoopBody(loop_kind<SecondPass>), scan_(scan), first_(scan.finished_) {}

void TwoPassScan::SecondPass::Run(UnitInterval chunks, void** /*segment*/) {
  for (std::uint32_t i = first_ + chunks.begin; i != first_ + chunks.end; ++i) {
    std::unique_ptr<Scan::Sum>& sum = scan_.sums_[i];
    scan_.scan_.Finish(EvenShare(scan_.rest_, i, scan_.chunks()), *sum);
    sum.reset();  // by many threads, rather than by one in the end
  }
}

}  // namespace pool_internal
}  // namespace filch
