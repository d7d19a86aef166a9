#include "filch/pool/arena.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "filch/deque/asymmetric_fence.h"
#include "filch/deque/steal_result.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/wait_table.h"
#include "filch/topology/contract.h"
#include "filch/topology/std_atomics.h"
#include "filch/topology/victim_selector.h"

namespace filch {

using pool_internal::Choice;
using pool_internal::ForkedChild;
using pool_internal::GlobalWaitTable;
using pool_internal::Rule;
using pool_internal::Slot;

namespace {

using Contents = decltype(Slot::deque)::Contents;

// need_wake_: the last searcher asks the next pusher to call somebody.
constexpr std::uint32_t kAsk = 1;
// need_wake_, for good: the kernel offers no asymmetric fence, so every push
// must take the slow path and pay a fence of its own.
constexpr std::uint32_t kFenceYourself = 2;
// need_wake_, for good: this is a forked child, where nobody may go on.
constexpr std::uint32_t kForked = 4;

// How often a thief whose place matters tries a near slot, with growing chances
// of any other one, before it goes through all of them: the third attempt is
// even.
constexpr int kNearAttempts = 3;

ArenaOptions Checked(ArenaOptions options) {
  if (options.slots < 1) Fail("filch::Arena: an arena needs at least one slot.");
  if (options.reserved < 0) Fail("filch::Arena: the number of reserved slots is negative.");
  options.reserved = std::min(options.reserved, options.slots);
  return options;
}

// splitmix64: turns neighbouring numbers into unrelated seeds.
std::uint64_t Seed(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15u;
  number = (number ^ (number >> 30)) * 0xBF58476D1CE4E5B9u;
  number = (number ^ (number >> 27)) * 0x94D049BB133111EBu;
  return (number ^ (number >> 31)) | 1;
}

}  // namespace

Arena::Arena(Recruiter& recruiter, std::chrono::nanoseconds spin, const ArenaOptions& options,
             std::size_t trace_events)
    : recruiter_(recruiter),
      spin_(spin),
      options_(Checked(options)),
      slots_(new Slot[static_cast<std::size_t>(options_.slots) + 1]),
      need_wake_(AsymmetricFence::IsAsymmetric() ? kAsk : kAsk | kFenceYourself),
      waiters_(options_.slots + 1),
      queue_waiters_(options_.slots + 1) {
  for (int i = 0; i < slot_count(); ++i) {
    slots_[i].arena = this;
    slots_[i].index = i;
    slots_[i].need_wake = &need_wake_;
    slots_[i].random_state = Seed(static_cast<std::uint64_t>(i));
    if (trace_events > 0) {
      slots_[i].trace = std::make_unique<pool_internal::TraceBuffer>(trace_events);
    }
  }
}

// --- slots

Slot* Arena::TryOccupy(int index) {
  ForkedChild::MustNotBeThisProcess();
  Slot& slot = slots_[index];
  if (slot.occupied.load(std::memory_order_relaxed) ||
      slot.occupied.exchange(true, std::memory_order_acquire)) {  // O1: the last occupant's state
    return nullptr;
  }
  int used = used_slots_.load(std::memory_order_relaxed);
  while (used <= index &&
         !used_slots_.compare_exchange_weak(used, index + 1, std::memory_order_seq_cst,  // W1
                                            std::memory_order_relaxed)) {
  }
  return &slot;
}

Slot* Arena::OccupyFromOutside() {
  for (int i = 0; i < options_.slots; ++i) {
    if (Slot* const slot = TryOccupy(i)) return slot;
  }
  return nullptr;
}

Slot* Arena::OccupyToHelp() {
  Slot* const slot = OccupyFromOutside();
  return slot != nullptr ? slot : TryOccupy(options_.slots);
}

Slot* Arena::OccupyExtra() { return TryOccupy(options_.slots); }

Slot* Arena::OccupyAsWorker(int preferred) {
  if (preferred >= options_.reserved && preferred < options_.slots) {
    if (Slot* const slot = TryOccupy(preferred)) return slot;
  }
  for (int i = options_.reserved; i < options_.slots; ++i) {
    if (Slot* const slot = TryOccupy(i)) return slot;
  }
  return NeedsWorker() ? TryOccupy(options_.slots) : nullptr;
}

void Arena::Vacate(Slot& slot) {
  bool left_work = false;
  while (slot.deque.private_size() > 0) {
    slot.deque.Expose();
    left_work = true;
  }
  // Work that is shared already counts, too.
  left_work |= slot.deque.Inspect() != Contents::kEmpty;
  if (left_work) left_behind_.store(true, std::memory_order_seq_cst);  // W6: before the call
  slot.occupied.store(false, std::memory_order_release);               // O1: to the next occupant
  StdAtomics::SeqCstFence();  // W4: with MarkFull, W5: with slot seekers
  if (left_work) NotifySpawned();
  if (full_.load(std::memory_order_relaxed) &&             // W4: after the slot is free
      full_.exchange(false, std::memory_order_seq_cst)) {  // W4: one of us calls
    recruiter_.Recruit(*this);
  }
  if (slot_seekers_.load(std::memory_order_seq_cst) > 0) {  // W5: after the slot is free
    GlobalWaitTable().WakeAll(slot_key());
  }
}

void Arena::MarkFull() {
  full_.store(true, std::memory_order_relaxed);  // W4: the next Vacate sees it, or we its slot
  StdAtomics::SeqCstFence();                     // W4: before another look at the slots
}

// --- work

void Arena::Enqueue(Task& task, Priority priority) {
  ForkedChild::MustNotBeThisProcess();
  task.set_isolation(0);
  queue_.Push(task, static_cast<int>(
                        priority));  // Q1: sequentially consistent, before the look for sleepers
  NotifyQueued();
}

void Arena::Post(Task& task, int slot, std::uint64_t isolation) {
  ForkedChild::MustNotBeThisProcess();
  if (slot < 0 || slot >= options_.slots) Fail("filch::Arena::Post: there is no such slot.");
  task.set_isolation(isolation);
  int used = used_slots_.load(std::memory_order_relaxed);
  while (used <= slot &&
         !used_slots_.compare_exchange_weak(used, slot + 1, std::memory_order_seq_cst,  // W1
                                            std::memory_order_relaxed)) {
  }
  slots_[slot].mailbox.Push(task);  // Q1: sequentially consistent, as above
  NotifySpawned();
}

Choice Arena::TakeShared(Slot& slot, std::uint64_t isolation) {
  if (isolation != 0) return {};
  Task* const task = queue_.Pop();
  if (task == nullptr) return {};
  slot.stats.shared.Increment();
  return {task, 0, Rule::kSharedQueue};
}

void Arena::PlaceSlots(const std::vector<WorkerPlace>& places) {
  const int placed = std::min(options_.slots, static_cast<int>(places.size()));
  for (int i = 0; i < placed; ++i) {
    std::vector<int> near;
    for (const int place : places[static_cast<std::size_t>(i)].near) {
      if (place < options_.slots) near.push_back(place);
    }
    if (near.empty()) continue;
    slots_[i].victims =
        std::make_unique<VictimSelector>(i, slot_count(), std::move(near), slots_[i].random_state);
  }
}

Choice Arena::StealFor(Slot& slot, std::uint64_t isolation, bool last_resort) {
  const int used = used_slots_.load(std::memory_order_relaxed);
  if (used <= 1) return {};
  if (slot.victims != nullptr) {
    // Where places matter, near ones first, with chances that keep the bound on
    // the running time; then everybody.
    slot.victims->BeginSearch();
    for (int i = 0; i < kNearAttempts; ++i) {
      Slot& victim = slots_[slot.victims->NextAmong(used)];
      if (Choice choice = StealFrom(victim, slot, isolation, last_resort)) return choice;
    }
  }
  const int start = static_cast<int>(slot.Random(static_cast<std::uint32_t>(used)));
  for (int i = 0; i < used; ++i) {
    Slot& victim = slots_[start + i < used ? start + i : start + i - used];
    if (&victim == &slot) continue;
    if (Choice choice = StealFrom(victim, slot, isolation, last_resort)) return choice;
  }
  return {};
}

Choice Arena::StealFrom(Slot& victim, Slot& slot, std::uint64_t isolation, bool last_resort) {
  const StealResult<Task*> result =
      isolation == 0
          ? victim.deque.Steal()
          : victim.deque.StealIf([isolation](std::uint64_t tag) { return tag == isolation; });
  if (result.status == StealStatus::kStolen) {
    slot.stats.steals.Increment();
    return {result.item, result.meta, Rule::kSteal};
  }
  // Mail waits for its addressee unless nobody is there to come for it.
  if (!last_resort && victim.occupied.load(std::memory_order_relaxed)) return {};
  Task* const mail = isolation == 0 ? victim.mailbox.Pop() : victim.mailbox.PopIsolated(isolation);
  if (mail == nullptr) return {};
  slot.stats.steals.Increment();
  return {mail, mail->isolation(), Rule::kSteal};
}

// --- sleeping and waking

void Arena::StartSearching(bool serves_queue) {
  searching_.fetch_add(1, std::memory_order_seq_cst);  // W1: pushers may rely on us
  if (serves_queue) queue_searching_.fetch_add(1, std::memory_order_seq_cst);  // W2: likewise
}

void Arena::StopSearching(Slot& slot, bool serves_queue) {
  if (serves_queue && queue_searching_.fetch_sub(1, std::memory_order_seq_cst) == 1 &&  // W2
      HasQueued()) {
    NotifyQueued();
  }
  if (searching_.fetch_sub(1, std::memory_order_seq_cst) != 1) return;  // W1: the last one?
  if (recruiter_.CouldCome(*this) || !waiters_.Empty()) {
    if (AskForWakeAndScan(slot)) NotifySpawned();
  } else if ((need_wake_.load(std::memory_order_relaxed) & kAsk) == 0) {
    // Nobody could come now.  The next pusher leaves a note for a worker of
    // another arena that becomes free later; a late note only costs time.
    need_wake_.fetch_or(kAsk, std::memory_order_relaxed);
  }
}

bool Arena::StopSearchingToSleep(Slot& slot, bool serves_queue) {
  bool found = false;
  if (serves_queue) {
    queue_searching_.fetch_sub(1, std::memory_order_seq_cst);  // W2: before the look at the queue
    found = HasQueued();
  }
  if (searching_.fetch_sub(1, std::memory_order_seq_cst) == 1) {  // W1: the last one scans
    found |= AskForWakeAndScan(slot);
  }
  return found;
}

bool Arena::AskForWakeAndScan(Slot& slot) {
  need_wake_.fetch_or(kAsk, std::memory_order_seq_cst);  // W1: before the scan
  // A push that does not see kAsk comes before this fence, and the scan sees it.
  AsymmetricFence::Heavy();
  return ScanForWork(slot);
}

bool Arena::ScanForWork(Slot& slot) {
  // Taken back first, so that a thread that leaves work meanwhile is not missed.
  const bool left = left_behind_.load(std::memory_order_relaxed) &&
                    left_behind_.exchange(false, std::memory_order_seq_cst);  // W6: then scan
  const bool found = ScanDeques(slot);
  if (left && found) left_behind_.store(true, std::memory_order_seq_cst);  // W6: still there
  return found;
}

bool Arena::ScanDeques(Slot& slot) {
  const int used = used_slots_.load(std::memory_order_seq_cst);  // W1: after need_wake_
  for (int i = 0; i < used; ++i) {
    Slot& victim = slots_[i];
    if (!victim.mailbox.Empty()) return true;
    switch (victim.deque.Inspect()) {
      case Contents::kEmpty:
        break;
      case Contents::kShared:
        return true;
      case Contents::kPrivateOnly:
        // The owner did not answer while we searched: its current task is long,
        // or it waits for what it has pushed.
        if (&victim == &slot) return true;
        if (victim.deque.ForceExposure()) {
          slot.stats.forced.Increment();
          return true;
        }
        break;
    }
  }
  return false;
}

bool Arena::LooksBusy() const {
  if (HasQueued()) return true;
  const int used = used_slots_.load(std::memory_order_relaxed);
  for (int i = 0; i < used; ++i) {
    if (!slots_[i].mailbox.Empty() || slots_[i].deque.Inspect() != Contents::kEmpty) return true;
  }
  return false;
}

void Arena::ForwardWake(Slot& slot) {
  if (HasQueued()) NotifyQueued();
  if (AskForWakeAndScan(slot)) NotifySpawned();
}

void Arena::NotifySpawned() {
  if (searching_.load(std::memory_order_seq_cst) > 0) return;  // W1: they will find it
  recruiter_.Recruit(*this);
}

void Arena::NotifyQueued() {
  if (queue_searching_.load(std::memory_order_seq_cst) > 0) return;  // W2: they will find it
  recruiter_.Recruit(*this);
}

void Arena::AnswerNeedWake(Slot& slot) {
  const std::uint32_t state = need_wake_.load(std::memory_order_relaxed);
  if (state == 0) return;
  if ((state & kFenceYourself) != 0) StdAtomics::SeqCstFence();  // W1: instead of the heavy fence
  if ((need_wake_.load(std::memory_order_relaxed) & kAsk) == 0 ||
      (need_wake_.fetch_and(~kAsk, std::memory_order_seq_cst) & kAsk) == 0) {  // W1: elects one
    return;
  }
  slot.deque.Expose();
  if (slot.trace != nullptr) slot.trace->Record(pool_internal::TraceKind::kWake);
  NotifySpawned();
}

std::int64_t Arena::TasksTakenFromQueue() const {
  std::int64_t taken = 0;
  for (int i = 0; i < slot_count(); ++i) taken += slots_[i].stats.shared.Read();
  return taken;
}

std::int64_t Arena::TasksRun() const {
  std::int64_t run = 0;
  for (int i = 0; i < slot_count(); ++i) {
    run += slots_[i].stats.dispatched.Read() + slots_[i].stats.joins.Read();
  }
  return run;
}

bool Arena::HasThreads() const {
  for (int i = 0; i < slot_count(); ++i) {
    if (slots_[i].occupied.load(std::memory_order_relaxed)) return true;
  }
  return false;
}

void Arena::AbandonInChild() {
  need_wake_.fetch_or(kForked, std::memory_order_relaxed);  // F1: there is no other thread
}

bool Arena::AnswerWanted() {
  return wanted_.exchange(Wanted::kNobody, std::memory_order_seq_cst) !=  // W3: and then look
         Wanted::kNobody;
}

bool Arena::WakeWaiter() {
  // An enqueued task is only for a thread that serves the queue.
  int number = HasQueued() ? queue_waiters_.Claim() : -1;
  if (number < 0) number = waiters_.Claim();
  if (number < 0) return false;
  slots_[number].parker.Unpark();
  return true;
}

namespace pool_internal {

__thread Slot* current_slot = nullptr;

void Slot::Attend() {
  ForkedChild::MustNotBeThisProcess();
  if (deque.exposure_requested()) {
    deque.Expose();
    stats.exposures.Increment();
  }
  arena->AnswerNeedWake(*this);
}

}  // namespace pool_internal
}  // namespace filch
