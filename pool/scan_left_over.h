// ScanLeftOver: blocks of a scan that nobody has finished when its threads have gone, as a loop for
// all of them.
//
// Scheduler-internal; ScanLoop fills it, before it is run.
#ifndef FILCH_POOL_SCAN_LEFT_OVER_H_
#define FILCH_POOL_SCAN_LEFT_OVER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/pace.h"
#include "filch/pool/scan.h"

namespace filch {
namespace pool_internal {

class ScanLeftOver final : public LoopBody {
 public:
  // For so many blocks at most.  `now` is the time in ticks.
  ScanLeftOver(Scan& scan, std::size_t blocks, std::uint64_t (*now)())
      : LoopBody(loop_kind<ScanLeftOver>), scan_(scan), now_(now) {
    blocks_.reserve(blocks);
  }
  ScanLeftOver(const ScanLeftOver&) = delete;
  ScanLeftOver& operator=(const ScanLeftOver&) = delete;

  // `sum` is that of everything left of the units.
  void Add(UnitInterval units, Scan::Sum& sum) { blocks_.push_back({units, &sum}); }

  std::uint32_t units() const { return static_cast<std::uint32_t>(blocks_.size()); }
  void Run(UnitInterval units, void**) override {
    for (std::uint32_t i = units.begin; i != units.end; ++i) {
      const bool is_last = i + 1 == blocks_.size();
      const std::uint64_t begin = is_last ? now_() : 0;
      scan_.Finish(blocks_[i].units, *blocks_[i].sum);
      if (is_last) pace_of_last_ = {blocks_[i].units.size(), now_() - begin};
    }
  }
  // When all have been run.
  Pace pace_of_last() const { return pace_of_last_; }

 private:
  struct Block {
    UnitInterval units;
    Scan::Sum* sum;
  };

  Scan& scan_;
  std::uint64_t (*const now_)();
  std::vector<Block> blocks_;
  Pace pace_of_last_{1, 0};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SCAN_LEFT_OVER_H_
