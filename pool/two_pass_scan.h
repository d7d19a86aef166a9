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
// Scheduler-internal; RunScan calls it.
//
// Memory ordering: the joins of the loops order Chain of a chunk after its SumOf, and its
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

namespace filch {
namespace pool_internal {

class TwoPassScan final : public LoneLoop {
 public:
  // For so many threads, under `context`.  `sum` is that of nothing, and, when the scan is over and
  // was not cancelled, of everything.
  TwoPassScan(Scan& scan, Scan::Sum& sum, std::uint32_t threads, Context& context)
      : LoneLoop(scan.kind()), scan_(scan), threads_(threads), context_(context), prefix_(sum) {}

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
  // A loop over the chunks that were summed.
  class SecondPass;
  SecondPass second_pass();

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
  std::vector<std::unique_ptr<Scan::Sum>> sums_;
  std::uint32_t finished_ = 0;  // so many chunks, the first ones, were scanned for good at once
  Scan::Sum& prefix_;  // of everything left of the first that was not; chained: of everything
};

class TwoPassScan::FirstPass final : public LoopBody {
 public:
  explicit FirstPass(TwoPassScan& scan);

  std::uint32_t units() const { return units_; }

  // A segment that is not null is that of the calling thread, which has the first chunk: no
  // other one gets it.
  void Run(UnitInterval chunks, void** segment) override;

 private:
  TwoPassScan& scan_;
  Scan& parts_;
  const UnitInterval rest_;
  std::unique_ptr<Scan::Sum>* const sums_;
  const std::uint32_t units_;
};

class TwoPassScan::SecondPass final : public LoopBody {
 public:
  explicit SecondPass(TwoPassScan& scan);

  std::uint32_t units() const { return scan_.chunks() - first_; }

  void Run(UnitInterval chunks, void** segment) override;

 private:
  TwoPassScan& scan_;
  const std::uint32_t first_;  // chunk
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TWO_PASS_SCAN_H_
