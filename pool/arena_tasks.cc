// What an arena has for a thread that looks for a task in it: rules 5 and 6.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "filch/deque/steal_result.h"
#include "filch/pool/arena.h"
#include "filch/pool/next_task.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/task_queue.h"
#include "filch/pool/worker_place.h"
#include "filch/topology/victim_selector.h"

namespace filch {

using pool_internal::Choice;
using pool_internal::Reach;
using pool_internal::Rule;
using pool_internal::Slot;
using pool_internal::TaskQueue;

namespace {

Choice FromQueue(Slot& slot, Task* task) {
  if (task == nullptr) return {};
  slot.stats.shared.Increment();
  return {task, 0, Rule::kSharedQueue};
}

// A task with the tag; 0: any.
Task* TakeFrom(TaskQueue& queue, std::uint64_t isolation) {
  return isolation == 0 ? queue.Pop() : queue.PopIsolated(isolation);
}

// Another one of the first `used` slots.  Where places matter, near ones first, with chances that
// keep the bound on the running time.
int ChooseVictim(Slot& slot, int used) {
  return slot.victims != nullptr ? slot.victims->NextAmong(used) : slot.RandomOther(used);
}

}  // namespace

Choice Arena::TakeShared(Slot& slot, std::uint64_t isolation) {
  if (isolation != 0) return {};
  const Choice delegated = FromQueue(slot, delegated_.Pop());
  return delegated ? delegated : TakeEnqueued(slot);
}

Choice Arena::TakeEnqueued(Slot& slot) {
  const Choice enqueued = FromQueue(slot, queue_.Pop());
  if (enqueued) NoteEnqueued(slot, true);
  return enqueued;
}

void Arena::PlaceSlots(const std::vector<WorkerPlace>& places) {
  const int placed = std::min(concurrency(), static_cast<int>(places.size()));
  for (int i = 0; i < placed; ++i) {
    std::vector<int> near;
    for (const int place : places[static_cast<std::size_t>(i)].near) {
      if (place < concurrency()) near.push_back(place);
    }
    if (near.empty()) continue;
    slots_[i].victims = std::make_unique<VictimSelector>(i, slots_.count_with_extra(),
                                                         std::move(near), slots_[i].random.Next());
  }
}

Choice Arena::StealFor(Slot& slot, std::uint64_t isolation, Reach reach, int first) {
  if (Task* const aside = TakeFrom(set_aside_, isolation)) {
    slot.stats.steals.Increment();
    return {aside, aside->isolation(), Rule::kSteal};
  }
  const int used = slots_.used().Hint();
  if (used <= 1) return {};
  const bool last_resort = reach == Reach::kLastResort;
  if (first >= 0 && first != slot.index) {
    // In addition to the search for a random victim, which bounds the running time.
    if (Choice choice = StealFrom(slots_[first], slot, isolation, last_resort)) return choice;
  }
  if (reach == Reach::kOneThread) return StealFromOne(slot, isolation, used);
  const int start = ChooseVictim(slot, used);
  for (int i = 0; i < used; ++i) {
    Slot& victim = SlotAfter(start, i, used);
    if (&victim == &slot) continue;
    if (Choice choice = StealFrom(victim, slot, isolation, last_resort)) return choice;
  }
  return {};
}

Choice Arena::StealFromOne(Slot& slot, std::uint64_t isolation, int used) {
  // One victim alone is asked anyway, and to see whether a task is of an isolation costs its
  // owner as much as to ask.
  if (used > 2 && isolation == 0) {
    if (Choice choice = StealShared(slot, ChooseVictim(slot, used), used)) return choice;
  }
  // And those without a thread that chance brings before it.  So an owner is asked, and waits
  // for the cache lines that thieves have looked at, as often as if there were one thief,
  // however many look.
  for (int i = 1; i < used; ++i) {
    Slot& victim = slots_[ChooseVictim(slot, used)];
    if (Choice choice = StealFrom(victim, slot, isolation, false)) return choice;
    if (victim.occupied.load(std::memory_order_relaxed)) break;  // O1: a hint
  }
  return {};
}

Choice Arena::StealBehind(Slot& slot, std::uint64_t isolation) {
  const int used = slots_.used().Count();
  for (int i = 0; i < used; ++i) {
    if (i == slot.index) continue;
    auto& deque = slots_[i].deque;
    while (deque.HasOf(isolation)) {
      const StealResult<Task*> result = deque.Steal();
      if (result.status == StealStatus::kStolen) {
        if (result.meta != isolation) {
          SetAside(*result.item, result.meta);
          continue;
        }
        slot.stats.steals.Increment();
        return {result.item, result.meta, Rule::kSteal};
      }
      if (result.status != StealStatus::kEmpty) continue;
      if (!deque.ForceExposure()) break;  // the owner has taken what there was
      slot.stats.forced.Increment();
    }
  }
  return {};
}

void Arena::InsistOnWork(Slot& slot, bool force) {
  using Deque = decltype(Slot::deque);
  // One of those who search does it for all: each look at what owners write takes it from them,
  // and groups of a thousand short tasks on sixteen threads took a quarter longer.
  const int searchers = idle_.ApproximateSearchers();
  if (searchers > 1 && slot.Random(searchers) != 0) return;
  const int used = slots_.used().Hint();
  for (int i = 0; i < used; ++i) {
    Deque& deque = slots_[i].deque;
    // First the word that is written rarely: to read the others costs the owner something.
    const std::uint32_t request = deque.request_word();
    if (i == slot.index || request < Deque::kByThief ||
        deque.Inspect() != Deque::Contents::kPrivateOnly) {
      continue;
    }
    if (request == Deque::kByThief) {
      deque.InsistOnExposure();
    } else if (force && deque.ForceExposure()) {
      slot.stats.forced.Increment();
    }
  }
}

Choice Arena::StealShared(Slot& slot, int start, int used) {
  // They are in this thread's cache unless they have changed, and owners write nothing there
  // while they push and pop.
  constexpr int kMostLookedAt = 32;
  const int looks = std::min(used, kMostLookedAt);
  for (int i = 0; i < looks; ++i) {
    Slot& victim = SlotAfter(start, i, used);
    if (&victim == &slot || !victim.deque.HasShared()) continue;
    if (Choice choice = StealFrom(victim, slot, 0, false)) return choice;
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
    slot.stolen_from = &victim.deque;
    return {result.item, result.meta, Rule::kSteal};
  }
  // Mail waits for its addressee unless nobody is there to come for it.
  if (!last_resort && victim.occupied.load(std::memory_order_relaxed)) return {};  // O1: a hint
  Task* const mail = TakeFrom(victim.mailbox, isolation);
  if (mail == nullptr) return {};
  slot.stats.steals.Increment();
  return {mail, mail->isolation(), Rule::kSteal};
}

}  // namespace filch
