// TwoPassScan: the order of work in a parallel scan for many threads.
//
// The calling thread scans units for good, from the left end on, until help pays.  What is
// left then is cut into chunks, and threads go through them twice.  First each chunk is
// summed; but what follows on the calling thread what is scanned for good is scanned for good
// itself.  Then that thread chains the sums, and in the second pass the chunks that were
// summed are scanned, each with the sum of everything left of it.  A scan that nobody joins
// passes once over its units.
//
// Neighbouring chunks on one thread have one sum, and are scanned by one thread again, if to make
// a sum for each would take much of the time (SumCost).
//
// Threads meet only in the joins of the two loops, so any number of them can help.  For few,
// ScanLoop goes over less of it twice: of two threads that are equally fast, each scans half
// of the chunks here, and then the second half is scanned again.
//
// Scheduler-internal; RunScan calls it.
//
// Memory ordering: the joins of the loops order Chain of a chunk after its Add, and its
// Finish after both.
#ifndef FILCH_POOL_TWO_PASS_SCAN_H_
#define FILCH_POOL_TWO_PASS_SCAN_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/scan.h"
#include "filch/pool/sum_cost.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {

class TwoPassScan final : public LoneLoop {
 public:
  // For so many threads, under `context`.  `sum` is that of nothing, and, when the scan is over and
  // was not cancelled, of everything.  `now` is the time in ticks.
  TwoPassScan(Scan& scan, Scan::Sum& sum, std::uint32_t threads, Context& context,
              std::uint64_t (*now)() = &Ticks)
      : LoneLoop(scan.kind()),
        scan_(scan),
        threads_(threads),
        context_(context),
        now_(now),
        prefix_(sum) {}

  // Scans these units for good, which follow those of the last call.
  void Run(UnitInterval units, void** segment) override;

  // The rest, with whoever comes.
  void Share(UnitInterval rest) override;

  // The steps of that, in this order.
  void Cut(UnitInterval rest);
  // A loop over the chunks.
  class FirstPass;
  FirstPass first_pass();
  // Makes of the sum of each chunk that of everything left of it.  False: the scan is cancelled.
  bool Chain();
  // A loop over the blocks that were summed.
  class SecondPass;
  SecondPass second_pass();

 private:
  // Enough for threads that come late, or to chunks of different length, to share what is left.
  // Each costs a join in both passes.
  static constexpr std::uint32_t kChunksPerThread = 8;

  // What is summed with one sum: a chunk, and maybe some that follow it.
  struct Block {
    UnitInterval chunks;
    // Of its units, or null, if the first chunk of it is in a block that begins before it, or was
    // scanned for good; chained: of all left of it.
    std::unique_ptr<Scan::Sum> sum;
    SumCost cost;
    std::uint64_t elapsed = 0;  // to sum its units
  };

  // Of chunks that follow each other.
  UnitInterval UnitsOf(UnitInterval chunks) const;

  Scan& scan_;
  const std::uint32_t threads_;
  Context& context_;
  std::uint64_t (*const now_)();
  UnitInterval rest_;
  std::uint32_t chunks_ = 0;
  // One for each chunk; chained: only those with a sum.
  std::vector<Block> blocks_;
  std::uint32_t finished_ = 0;  // so many chunks, the first ones, were scanned for good at once
  Scan::Sum& prefix_;  // of everything left of the first that was not; chained: of everything
};

class TwoPassScan::FirstPass final : public LoopBody {
 public:
  explicit FirstPass(TwoPassScan& scan);

  std::uint32_t units() const { return units_; }

  // The segment of the calling thread, which has the first chunk, is this; others are blocks.
  void Run(UnitInterval chunks, void** segment) override;

 private:
  // Sums a chunk with the others of the block, which may be null, or in a block of its own.
  Block& SumChunk(std::uint32_t chunk, Block* block);

  TwoPassScan& scan_;
  Scan& parts_;
  std::uint64_t (*const now_)();
  const UnitInterval rest_;
  Block* const blocks_;
  const std::uint32_t units_;
};

class TwoPassScan::SecondPass final : public LoopBody {
 public:
  explicit SecondPass(TwoPassScan& scan);

  std::uint32_t units() const { return static_cast<std::uint32_t>(scan_.blocks_.size()); }

  void Run(UnitInterval blocks, void** segment) override;

 private:
  TwoPassScan& scan_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TWO_PASS_SCAN_H_
