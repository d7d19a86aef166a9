// NotingLoop: a loop's body that notes which units ran, in which order.
#ifndef FILCH_TESTS_POOL_NOTING_LOOP_H_
#define FILCH_TESTS_POOL_NOTING_LOOP_H_

#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"

namespace filch {

class NotingLoop final : public LoopBody {
 public:
  using OnUnit = std::function<void(std::uint32_t unit)>;

  // Calls on_unit for each unit, after it was noted; units are below `size`.
  NotingLoop(LoopKind& kind, std::uint32_t size, OnUnit on_unit)
      : LoopBody(kind), on_unit_(std::move(on_unit)), runs_(size) {}
  NotingLoop(LoopKind& kind, std::uint32_t size) : NotingLoop(kind, size, [](std::uint32_t) {}) {}

  void Run(UnitInterval units, void** segment) override {
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) {
      {
        const std::lock_guard<std::mutex> lock(mutex_);
        ++runs_[unit];
        order_.push_back(unit);
        if (*segment == nullptr) segments_.push_back(unit);
        *segment = this;
      }
      on_unit_(unit);
    }
  }

  // When the loop is over.  How often each unit ran.
  const std::vector<int>& runs() const { return runs_; }
  const std::vector<std::uint32_t>& order() const { return order_; }
  // The first unit of each segment, in the order in which they began.
  const std::vector<std::uint32_t>& segments() const { return segments_; }

 private:
  const OnUnit on_unit_;
  std::mutex mutex_;
  std::vector<int> runs_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> segments_;
};

}  // namespace filch

#endif  // FILCH_TESTS_POOL_NOTING_LOOP_H_
