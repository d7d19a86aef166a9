#include "filch/pool/two_pass_scan.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

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
  chunks_ = std::min(rest.size(), kChunksPerThread * threads_);
  blocks_ = std::vector<Block>(chunks_);
}

UnitInterval TwoPassScan::UnitsOf(UnitInterval chunks) const {
  return {EvenShare(rest_, chunks.begin, chunks_).begin,
          EvenShare(rest_, chunks.end - 1, chunks_).end};
}

TwoPassScan::FirstPass TwoPassScan::first_pass() { return FirstPass(*this); }

bool TwoPassScan::Chain() {
  std::vector<Block> chained;
  for (std::uint32_t chunk = finished_; chunk != chunks_;) {
    Block& block = blocks_[chunk];
    // What is cancelled may have left chunks out.
    if (block.sum == nullptr || context_.IsCancelled()) return false;
    scan_.Chain(prefix_, *block.sum);
    chunk = block.chunks.end;
    chained.push_back(std::move(block));
  }
  blocks_ = std::move(chained);
  return true;
}

TwoPassScan::SecondPass TwoPassScan::second_pass() { return SecondPass(*this); }

TwoPassScan::FirstPass::FirstPass(TwoPassScan& scan)
    : LoopBody(loop_kind<FirstPass>),
      scan_(scan),
      // Copies: what all threads read lies apart from what the first one writes.
      parts_(scan.scan_),
      now_(scan.now_),
      rest_(scan.rest_),
      blocks_(scan.blocks_.data()),
      units_(scan.chunks_) {}

void TwoPassScan::FirstPass::Run(UnitInterval chunks, void** segment) {
  if (chunks.begin == 0) *segment = this;
  const bool for_good = *segment == this;
  for (std::uint32_t i = chunks.begin; i != chunks.end; ++i) {
    if (for_good) {
      parts_.Finish(EvenShare(rest_, i, units_), scan_.prefix_);
      ++scan_.finished_;
    } else {
      *segment = &SumChunk(i, static_cast<Block*>(*segment));
    }
  }
}

TwoPassScan::Block& TwoPassScan::FirstPass::SumChunk(std::uint32_t chunk, Block* block) {
  std::uint64_t begin = now_();
  if (block == nullptr || block->elapsed >= block->cost.worth()) {
    block = &blocks_[chunk];
    block->chunks = {chunk, chunk};
    block->sum = parts_.MakeSum();
    const std::uint64_t made = now_();
    block->cost.Made(made - begin);
    begin = made;
  }
  parts_.Add(EvenShare(rest_, chunk, units_), *block->sum);
  block->chunks.end = chunk + 1;
  block->elapsed += now_() - begin;
  return *block;
}

TwoPassScan::SecondPass::SecondPass(TwoPassScan& scan)
    : LoopBody(loop_kind<SecondPass>), scan_(scan) {}

void TwoPassScan::SecondPass::Run(UnitInterval blocks, void** /*segment*/) {
  for (std::uint32_t i = blocks.begin; i != blocks.end; ++i) {
    Block& block = scan_.blocks_[i];
    scan_.scan_.Finish(scan_.UnitsOf(block.chunks), *block.sum);
    block.sum.reset();  // by many threads, rather than by one in the end
  }
}

}  // namespace pool_internal
}  // namespace filch
