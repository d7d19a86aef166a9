#include "filch/pool/arena.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "filch/pool/absence.h"
#include "filch/pool/arena_host.h"
#include "filch/pool/caller.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/looker.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_table.h"
#include "filch/topology/contract.h"
#include "filch/topology/cpu_relax.h"
#include "filch/topology/std_atomics.h"
#include "filch/topology/tick_clock.h"

namespace filch {

template class pool_internal::BasicArenaSlots<pool_internal::Slot>;

using pool_internal::Caller;
using pool_internal::ForkedChild;
using pool_internal::GlobalWaitTable;
using pool_internal::Slot;

namespace {

using Contents = decltype(Slot::deque)::Contents;

ArenaOptions Checked(ArenaOptions options) {
  if (options.slots < 1) Fail("filch::Arena: an arena needs at least one slot.");
  if (options.reserved < 0) Fail("filch::Arena: the number of reserved slots is negative.");
  options.reserved = std::min(options.reserved, options.slots);
  return options;
}

}  // namespace

Arena::Arena(Recruiter& recruiter, const pool_internal::IdleTimes& times,
             const ArenaOptions& options, std::size_t trace_events)
    : recruiter_(recruiter),
      idle_times_(times),
      options_(Checked(options)),
      memory_of_slots_(new Slot[static_cast<std::size_t>(options_.slots) + 1]),
      slots_(memory_of_slots_.get(), options_.slots, options_.reserved, recruiter.slot_numbers()),
      phases_(options_.leave_fast),
      waiters_(options_.slots + 1) {
  int index = 0;
  for (Slot& slot : slots_) {
    slot.arena = this;
    slot.concurrency = concurrency();
    slot.deque.ShareAmong(concurrency());
    slot.index = index++;
    slot.need_wake = &idle_.need_wake();
    slot.newest_hook = &pool_internal::newest_hooks[pool_internal::HookIndexOf(this)];
    slot.random = FastRandom(0, static_cast<std::uint64_t>(slot.index));
    if (trace_events > 0) {
      slot.trace = std::make_unique<pool_internal::TraceBuffer>(trace_events);
    }
  }
}

// --- slots

Slot* Arena::OccupyAsWorker(int preferred) {
  phases_.WorkerComes();
  return slots_.OccupyAsWorker(preferred, WorkerIsNeeded{*this});
}

// The arena as NobodyHasTasks sees it.
class Arena::Inside {
 public:
  explicit Inside(const Arena& arena) : arena_(arena) {}

  bool LooksBusy() const { return arena_.LooksBusy(); }
  int UsedSlots() const { return arena_.slots_.used().Hint(); }
  const Slot& SlotAt(int index) const { return arena_.slots_[index]; }
  static void Relax() { CpuRelax(); }
  // A look in vain takes less.
  static constexpr int kMostLooks = 20;

 private:
  const Arena& arena_;
};

bool Arena::ForgetOwner() {
  if (!pool_internal::NobodyHasTasks<StdAtomics>(Inside(*this))) return false;
  // Who is in the extra slot of an arena where workers have no other would take part.
  if (concurrency() == 1 && !HasWorkerSlots() &&
      slots_[1].occupied.load(std::memory_order_relaxed)) {  // O1: a hint
    return false;
  }
  phases_.Forget();
  slots_.numbers().Forget();
  // Who only looks may still be here for what was enqueued.
  for (std::atomic<bool>& runs : runs_enqueued_) {
    runs.store(false, std::memory_order_relaxed);  // H4: a hint
  }
  return true;
}

void Arena::Vacate(Slot& slot) {
  NoteEnqueued(slot, false);
  // In no slot when it calls.
  slots_.vacancy().Vacate(slot, idle_, Host(*this, nullptr, Caller::kWorksOn));
}

bool Arena::NoteEnqueued(const Slot& slot, bool enqueued) {
  // Who is in the only slot, and it is for nobody else, comes from outside.
  if (concurrency() > 1 || (slot.index == 0 && !HasWorkerSlots())) return false;
  std::atomic<bool>& runs = runs_enqueued_[slot.index];
  const bool before = runs.load(std::memory_order_relaxed);  // H4: its own
  runs.store(enqueued, std::memory_order_relaxed);           // H4: a hint
  return before;
}

// --- work

void Arena::Enqueue(Task& task, Priority priority) {
  ForkedChild::MustNotBeThisProcess();
  task.set_isolation(0);
  // Q1: sequentially consistent, before the look for sleepers.
  if (queue_.Push(task, static_cast<int>(priority))) {
    idle_.NotifyQueued(Host(*this, nullptr));
  } else {
    idle_.NotifyQueuedBehind(Host(*this, nullptr));
  }
}

void Arena::Delegate(Task& task) {
  ForkedChild::MustNotBeThisProcess();
  task.set_isolation(0);
  delegated_.Push(task);  // Q1: sequentially consistent, as above
  idle_.NotifyQueued(Host(*this, nullptr));
}

void Arena::Post(Task& task, int slot, std::uint64_t isolation) {
  PutIntoMailbox(task, slot, isolation);
  NotifyPosted();
}

void Arena::PutIntoMailbox(Task& task, int slot, std::uint64_t isolation) {
  ForkedChild::MustNotBeThisProcess();
  if (slot < 0 || slot >= concurrency()) Fail("filch::Arena::Post: there is no such slot.");
  slots_.used().Include(slot);
  slots_[slot].Deliver(task, isolation);
}

void Arena::NotifyPosted() {
  // Who sends tasks to slots has some of its own.
  const bool has_some = pool_internal::current_slot != nullptr;
  idle_.NotifyPosted(Host(*this, nullptr, has_some ? Caller::kWorksOn : Caller::kHandsOver));
}

void Arena::CallForMore() {
  Host host(*this, nullptr, Caller::kWorksOn);
  if (host.CanCall()) host.Recruit(pool_internal::IdleProtocol::kCalls);
}

void Arena::SetAside(Task& task, std::uint64_t isolation) {
  task.set_isolation(isolation);
  set_aside_.Push(task);  // Q1: sequentially consistent, as above
  if (IsAskedInIsolation(isolation)) WakeIsolated(isolation);
  // Who has spawned it may leave without it.
  idle_.LeaveBehind();
  idle_.NotifySpawned(Host(*this, nullptr));
}

bool Arena::TakeBackPosted(Task& task, int slot) { return slots_[slot].mailbox.Remove(task); }

// --- sleeping and waking

void Arena::GoAway(Slot& slot) { pool_internal::GoAway(slot, Host(*this, nullptr)); }

void Arena::AddAbstainer() { slots_.abstainers().Add(Host(*this, nullptr)); }
void Arena::RemoveAbstainer() { slots_.abstainers().Remove(); }

void Arena::SpreadCall(Slot& slot) {
  Host host(*this, &slot);
  const int calls = std::exchange(slot.calls_to_spread, 0);
  if (!host.CanCall()) return;
  slot.calls_to_spread = idle_.SpreadCall(host, calls);
  slot.ShareEagerly();
}

void Arena::CallForPushed(Slot& slot) {
  if (idle_.ApproximateSearchers() > 0) {
    slot.calls_to_spread = 0;
  } else {
    SpreadCall(slot);
  }
}

void Arena::StopSearching(Slot& slot, bool serves_queue) {
  idle_.StopSearching(Host(*this, &slot), serves_queue);
}

bool Arena::StopSearchingToSleep(Slot& slot, bool serves_queue) {
  return idle_.StopSearchingToSleep(Host(*this, &slot), serves_queue);
}

bool Arena::ScanForWork(Slot& slot) { return idle_.ScanForWork(Host(*this, &slot)); }

bool Arena::ScanForAnyWork() { return HasQueued() || idle_.ScanForWork(Host(*this, nullptr)); }

bool Arena::HasTasks(const Slot& slot) { return slot.deque.Inspect() != Contents::kEmpty; }

bool Arena::LooksBusy() const {
  if (HasQueued() || !set_aside_.Empty()) return true;
  const int used = slots_.used().Hint();
  for (int i = 0; i < used; ++i) {
    if (!slots_[i].mailbox.Empty() || HasTasks(slots_[i])) return true;
  }
  return false;
}

void Arena::ForwardWake(Slot& slot) { idle_.ForwardWake(Host(*this, &slot)); }

bool Arena::IsAskedInIsolation(std::uint64_t isolation) const {
  return isolation != 0 && idle_.need_wake().IsAskedInIsolation();
}

void Arena::WakeIsolated(std::uint64_t isolation) {
  pool_internal::GlobalWaitTable().WakeAll(pool_internal::IsolationKey(isolation));
}

void Arena::AnswerNeedWake(Slot& slot) {
  if (!idle_.AnswerNeedWake(Host(*this, &slot))) return;
  if (!Host(*this, &slot).CanCall()) return;
  // It has called one, and calls the others for what it pushes next.
  slot.calls_to_spread = pool_internal::IdleProtocol::kCalls - 1;
  slot.ShareEagerly();
}

std::int64_t Arena::TasksTakenFromQueue() const {
  std::int64_t taken = 0;
  for (const Slot& slot : slots_) taken += slot.stats.shared.Read();
  return taken;
}

std::int64_t Arena::LookForSteps() {
  std::int64_t steps = 0;
  for (Slot& slot : slots_) steps += slot.LookForSteps();
  return steps;
}

bool Arena::MayHaveWorker() const {
  // Where all slots are reserved, a worker that is needed leaves out the first one.
  int slot = HasWorkerSlots() ? options_.reserved : 1;
  while (slot < slots_.count_with_extra() && !slots_.IsOccupied(slot)) ++slot;
  return slot < slots_.count_with_extra();
}

bool Arena::WakeWaiter() {
  if (HasQueued() && returners_.Any()) GlobalWaitTable().WakeAll(queue_key());
  // It may serve nothing but spawned tasks: waiter_set.h says why that loses nothing.
  const int number = waiters_.Claim(HasQueued());
  if (number < 0) return false;
  slots_[number].parker.Unpark();
  return true;
}

}  // namespace filch
