#include "filch/pool/dealt_loop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/absent_call.h"
#include "filch/pool/arena.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/many_threads.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_group.h"

namespace filch {
namespace pool_internal {
namespace {

// Units on their way to a slot.
class Delivery final : public Task {
 public:
  Delivery() : Task(&Delivery::Arrive, nullptr) {}
  ~Delivery() = default;

  void Prepare(SharedLoop& loop, UnitInterval units, WaitGroup& group) {
    loop_ = &loop;
    units_ = units;
    group_ = &group;
    set_context(&group.context());
    group.Add();
  }

 private:
  static Task* Arrive(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<Delivery&>(task);
    WaitGroup& group = *self.group_;
    if (!execution.cancelled) self.loop_->AcceptDealt(execution.slot, self.units_);
    group.Done(execution);
    return nullptr;
  }

  SharedLoop* loop_ = nullptr;
  UnitInterval units_;
  WaitGroup* group_ = nullptr;
};

// The units of a loop on their ways to their slots.
class Mail final : public SharedLoop::Mail {
 public:
  // The thread in `slot` runs `first`, one of the shares or null, at once.
  Mail(const std::vector<DealtUnits>& shares, const DealtUnits* first, SharedLoop& loop, Slot& slot,
       WaitGroup& group, AbsentCall& absent_call)
      : shares_(shares),
        first_(first),
        loop_(loop),
        slot_(slot),
        group_(group),
        absent_call_(absent_call),
        deliveries_(new Delivery[shares.size()]),
        own_left_(shares.size()) {}

  void Send() noexcept override {
    bool posted = false;
    for (std::size_t i = 0; i != shares_.size(); ++i) {
      if (&shares_[i] == first_) continue;
      deliveries_[i].Prepare(loop_, shares_[i].units, group_);
      if (IsOwn(shares_[i]) && TrySpawn(deliveries_[i])) continue;
      const int address = AddressOf(shares_[i]);
      slot_.arena->PutIntoMailbox(deliveries_[i], address, slot_.isolation);
      posted = true;
      absent_call_.NoteSlot(address);
    }
    if (posted) slot_.arena->NotifyPosted();
    absent_call_.Begin();
  }
  UnitInterval TakeOwn() override {
    // The newest is the last one of those.
    while (own_left_ != 0) {
      const std::size_t i = --own_left_;
      if (&shares_[i] == first_ || !IsOwn(shares_[i])) continue;
      if (!slot_.deque.TryPop(&deliveries_[i])) continue;
      group_.Withdraw();
      return shares_[i].units;
    }
    return {};
  }
  UnitInterval TakeBack() override {
    while (next_ != shares_.size()) {
      const std::size_t i = next_++;
      if (&shares_[i] == first_) continue;
      if (!slot_.arena->TakeBackPosted(deliveries_[i], AddressOf(shares_[i]))) continue;
      group_.Withdraw();
      return shares_[i].units;
    }
    return {};
  }
  void OwnIsOver(std::uint64_t elapsed) override {
    own_took_ = elapsed;
    absent_call_.OwnTook(elapsed);
  }
  bool IsDone() const override { return group_.IsComplete(); }

  std::uint64_t own_took() const { return own_took_; }

 private:
  // All that the thread has itself but the first lies in its deque meanwhile.
  bool IsOwn(const DealtUnits& share) const {
    return share.slot == static_cast<std::uint32_t>(slot_.index);
  }
  bool TrySpawn(Delivery& delivery) {
    try {
      group_.Spawn(delivery);
    } catch (...) {  // memory is short, and mail needs none
      return false;
    }
    return true;
  }
  // There is no mail for the extra slot.
  int AddressOf(const DealtUnits& share) const {
    return std::min(static_cast<int>(share.slot), slot_.concurrency - 1);
  }

  const std::vector<DealtUnits>& shares_;
  const DealtUnits* const first_;
  SharedLoop& loop_;
  Slot& slot_;
  WaitGroup& group_;
  AbsentCall& absent_call_;
  const std::unique_ptr<Delivery[]> deliveries_;
  std::size_t next_ = 0;  // to be taken back, of what was sent
  std::size_t own_left_;  // so many of the first shares may be taken back from the deque
  std::uint64_t own_took_ = 0;
};

// Whether each unit has a slot of its own: then there is nothing that others could take.
bool IsOneEach(const std::vector<DealtUnits>& shares) {
  std::vector<std::uint32_t> slots;
  slots.reserve(shares.size());
  for (const DealtUnits& share : shares) {
    if (share.units.size() != 1) return false;
    slots.push_back(share.slot);
  }
  std::sort(slots.begin(), slots.end());
  return std::adjacent_find(slots.begin(), slots.end()) == slots.end();
}

// Returns how long the thread's first share took.
std::uint64_t RunShares(LoopBody& body, const std::vector<DealtUnits>& shares, Evenness evenness,
                        AbsentCall& absent_call, Context& context, Slot& slot) {
  SharedLoop loop(body, context, slot, evenness);
  // Among two threads who is done looks at one other, and had better do so at once.
  if (slot.concurrency > 2) {
    if (IsOneEach(shares)) {
      loop.BeginWithNothingToShare();
    } else {
      loop.BeginYoung();
    }
  }
  WaitGroup group(context);
  const auto own = static_cast<std::uint32_t>(slot.index);
  const auto first = std::find_if(shares.begin(), shares.end(),
                                  [own](const DealtUnits& share) { return share.slot == own; });
  Mail mail(shares, first != shares.end() ? &*first : nullptr, loop, slot, group, absent_call);
  if (first != shares.end()) {
    loop.Participate(slot, first->units, nullptr, &mail);
  } else {
    mail.Send();
  }
  if (!AwaitBriefly([&group] { return group.IsComplete(); })) group.WaitForTasks();
  return mail.own_took();
}

}  // namespace

std::uint64_t RunDealtLoop(LoopBody& body, const std::vector<DealtUnits>& shares, Context& context,
                           Slot& slot) {
  AbsentCall absent_call(body, static_cast<std::uint32_t>(shares.size()), slot);
  return RunShares(body, shares, Evenness::kEven, absent_call, context, slot);
}

bool TryToDealEvenly(LoopBody& body, UnitInterval units, Context& context, Slot& slot,
                     Evenness evenness) {
  if (slot.concurrency < kManyThreads || !slot.SendsMail()) return false;
  Arena& arena = *slot.arena;
  const int threads = arena.ApproximateSearchers() + 1;
  if (threads < kManyThreads) return false;
  std::vector<DealtUnits> shares;
  const ArenaSlots& slots = arena.slots();
  shares.reserve(static_cast<std::size_t>(slots.count_with_extra()));
  for (int index = 0; index != slots.count_with_extra(); ++index) {
    // There is no mail for the extra slot.
    const bool awake = index == slot.index || (index < slots.count() && slots.IsOccupied(index));
    if (awake) shares.push_back({{}, static_cast<std::uint32_t>(index)});
  }
  const auto parts = static_cast<std::uint32_t>(shares.size());
  if (static_cast<std::uint32_t>(threads) < parts || units.size() < parts) return false;
  for (std::uint32_t part = 0; part != parts; ++part) {
    shares[part].units = EvenShare(units, part, parts);
  }
  AbsentCall absent_call(body, units.size(), slot);
  if (parts < std::min(units.size(), static_cast<std::uint32_t>(slot.concurrency))) {
    absent_call.NoteAbsent();
  }
  RunShares(body, shares, evenness, absent_call, context, slot);
  return true;
}

}  // namespace pool_internal
}  // namespace filch
