#include "filch/pool/static_loop.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/absent_call.h"
#include "filch/pool/arena.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {
namespace {

// The units that one thread runs. Neighbours are one segment.
class UnitRunner {
 public:
  UnitRunner(LoopBody& body, Context& context) : body_(body), context_(context) {}

  void Run(std::uint32_t unit) noexcept {
    void* segment = unit == next_ ? segment_ : nullptr;
    next_ = kNone;  // a unit may wait, and run another one meanwhile
    try {
      body_.Run({unit, unit + 1}, &segment);
    } catch (...) {
      context_.CaptureCurrentException();
      return;
    }
    segment_ = segment;
    next_ = unit + 1;
  }

  LoopBody& body() { return body_; }
  Context& context() { return context_; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  LoopBody& body_;
  Context& context_;
  void* segment_ = nullptr;
  std::uint32_t next_ = kNone;  // begins where that segment ends
};

// One unit, on its way to a slot.
class UnitTask final : public Task {
 public:
  UnitTask() : Task(&UnitTask::RunAndCount, nullptr) {}
  ~UnitTask() = default;

  // `home` runs the units that come back to its slot.
  void Prepare(UnitRunner& home, const Slot& home_slot, std::uint32_t unit, WaitGroup& group) {
    home_ = &home;
    home_slot_ = &home_slot;
    unit_ = unit;
    group_ = &group;
    set_context(&group.context());
  }

 private:
  static Task* RunAndCount(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<UnitTask&>(task);
    WaitGroup& group = *self.group_;
    if (!execution.cancelled) {
      if (&execution.slot == self.home_slot_) {
        self.home_->Run(self.unit_);
      } else {
        UnitRunner(self.home_->body(), self.home_->context()).Run(self.unit_);
      }
    }
    group.Done(execution);
    return nullptr;
  }

  UnitRunner* home_ = nullptr;
  const Slot* home_slot_ = nullptr;
  std::uint32_t unit_ = 0;
  WaitGroup* group_ = nullptr;
};

}  // namespace

void RunStaticLoop(LoopBody& body, std::uint32_t units, Context& context, Slot& slot) {
  Arena& arena = *slot.arena;
  WaitGroup group(context);
  const auto own = static_cast<std::uint32_t>(slot.index);
  const auto slots = static_cast<std::uint32_t>(arena.concurrency());
  const std::uint32_t posted = std::min(units, slots);
  const std::unique_ptr<UnitTask[]> tasks(new UnitTask[posted]);
  UnitRunner home(body, context);
  const auto run = [&](std::uint32_t unit) {
    if (!context.IsCancelled()) home.Run(unit);
  };
  AbsentCall absent_call(body, units, slot);
  for (std::uint32_t unit = 0; unit < posted; ++unit) {
    if (unit == own) continue;
    tasks[unit].Prepare(home, slot, unit, group);
    group.Add();
    arena.PutIntoMailbox(tasks[unit], static_cast<int>(unit), slot.isolation);
    absent_call.NoteSlot(static_cast<int>(unit));
  }
  arena.NotifyPosted();
  absent_call.Begin();
  const std::uint64_t begin = Ticks();
  if (own < posted) run(own);
  for (std::uint32_t unit = slots; unit < units; ++unit) run(unit);
  const std::uint64_t elapsed = Ticks() - begin;
  if (!context.IsCancelled()) absent_call.OwnTook(elapsed);
  const auto complete = [&group] { return group.IsComplete(); };
  const auto take_back = [&](const auto& from_slot) {
    for (std::uint32_t unit = 0; unit < posted; ++unit) {
      const int index = static_cast<int>(unit);
      if (unit == own || !from_slot(index) || !arena.TakeBackPosted(tasks[unit], index)) continue;
      run(unit);
      group.Withdraw();
    }
  };
  // A slot that has no thread yet will hardly get one so soon.
  take_back([&arena](int index) { return !arena.slots().IsOccupied(index); });
  // Those who are there have begun with what they were sent by then.
  if ((own < posted && elapsed < kHandOver) || !AwaitBriefly(complete)) {
    take_back([](int) { return true; });
  }
  if (!AwaitBriefly(complete)) group.WaitForTasks();
}

}  // namespace pool_internal
}  // namespace filch
