#include "filch/pool/static_loop.h"

#include <cstdint>
#include <exception>
#include <memory>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_group.h"

namespace filch {
namespace pool_internal {
namespace {

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
  for (std::uint32_t unit = 0; unit < units && unit < slots; ++unit) {
    if (unit == own) continue;
    tasks[unit].Prepare(body, unit, group);
    group.Add();
    arena.Post(tasks[unit], static_cast<int>(unit), slot.isolation);
  }
  if (own < units && own < slots && !context.IsCancelled()) RunUnit(body, own, context);
  for (std::uint32_t unit = slots; unit < units && !context.IsCancelled(); ++unit) {
    RunUnit(body, unit, context);
  }
  group.WaitForTasks();
}

}  // namespace pool_internal
}  // namespace filch
