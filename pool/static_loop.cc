#include "filch/pool/static_loop.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/cpu_relax.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {
namespace {

// If the calling thread's own unit took less than this, a slot that has not begun its unit
// is too late: to hand one over and to wait for it takes about as long, and what so short a
// unit leaves in a cache is not worth it.
constexpr std::uint64_t kHandOver = 1000;

void RunUnit(LoopBody& body, std::uint32_t unit, Context& context) noexcept {
  void* segment = nullptr;
  try {
    body.Run({unit, unit + 1}, &segment);
  } catch (...) {
    context.CaptureCurrentException();
  }
}

// One unit, on its way to a slot.
class UnitTask final : public Task {
 public:
  UnitTask() : Task(&UnitTask::RunAndCount, nullptr) {}
  ~UnitTask() = default;

  void Prepare(LoopBody& body, std::uint32_t unit, WaitGroup& group) {
    body_ = &body;
    unit_ = unit;
    group_ = &group;
    set_context(&group.context());
  }

 private:
  static Task* RunAndCount(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<UnitTask&>(task);
    WaitGroup& group = *self.group_;
    if (!execution.cancelled) RunUnit(*self.body_, self.unit_, group.context());
    group.Done(execution);
    return nullptr;
  }

  LoopBody* body_ = nullptr;
  std::uint32_t unit_ = 0;
  WaitGroup* group_ = nullptr;
};

}  // namespace

void RunStaticLoop(LoopBody& body, std::uint32_t units, Context& context, Slot& slot) {
  Arena& arena = *slot.arena;
  const std::unique_ptr<UnitTask[]> tasks(new UnitTask[units]);
  WaitGroup group(context);
  const auto own = static_cast<std::uint32_t>(slot.index);
  const auto slots = static_cast<std::uint32_t>(arena.concurrency());
  const std::uint32_t posted = std::min(units, slots);
  const auto run = [&](std::uint32_t unit) {
    if (!context.IsCancelled()) RunUnit(body, unit, context);
  };
  for (std::uint32_t unit = 0; unit < posted; ++unit) {
    if (unit == own) continue;
    tasks[unit].Prepare(body, unit, group);
    group.Add();
    arena.Post(tasks[unit], static_cast<int>(unit), slot.isolation);
  }
  const std::uint64_t begin = Ticks();
  if (own < posted) run(own);
  for (std::uint32_t unit = slots; unit < units; ++unit) run(unit);
  if (own < posted && Ticks() - begin < kHandOver) {
    for (std::uint32_t unit = 0; unit < posted; ++unit) {
      if (unit == own || !arena.TakeBack(tasks[unit], static_cast<int>(unit))) continue;
      run(unit);
      group.Withdraw();
    }
  }
  // Parts are alike: what others have begun ends about now, and to count as searching
  // meanwhile takes longer than that.
  const std::uint64_t end = Ticks();
  while (!group.IsComplete() && Ticks() - end < kHandOver) CpuRelax();
  group.WaitForTasks();
}

}  // namespace pool_internal
}  // namespace filch
