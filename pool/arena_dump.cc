#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>

#include "filch/pool/arena.h"
#include "filch/pool/shared_queue.h"
#include "filch/pool/sighting.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/task_queue.h"

namespace filch {

using pool_internal::SharedQueue;
using pool_internal::Sighting;
using pool_internal::Slot;
using pool_internal::SlotSightings;
using pool_internal::TaskQueue;

namespace {

std::string Hex(std::uintptr_t number) {
  char text[2 + 16 + 1];
  std::snprintf(text, sizeof text, "0x%jx", static_cast<std::uintmax_t>(number));
  return text;
}

// Where the code of a task is, as a debugger or addr2line wants it.
std::string CodeOf(const Task& task) {
  const auto function = reinterpret_cast<std::uintptr_t>(task.code());
  Dl_info module;
  if (dladdr(reinterpret_cast<const void*>(function), &module) == 0) return Hex(function);
  return std::string(module.dli_fname) + "+" +
         Hex(function - reinterpret_cast<std::uintptr_t>(module.dli_fbase));
}

std::string Known(std::chrono::nanoseconds time) {
  using std::chrono::milliseconds;
  return ", there for " + std::to_string(std::chrono::duration_cast<milliseconds>(time).count()) +
         " ms at least";
}

// The task that is in front of a queue, told by its address.
std::string NextOne(const Task& task, Sighting& sighting, Sighting::Time now) {
  const auto address = reinterpret_cast<std::uintptr_t>(&task);
  return ", the next one is task " + Hex(address) + ", code " + CodeOf(task) +
         Known(sighting.See(address, 0, now));
}

std::string DescribeMail(const TaskQueue& queue, Sighting& sighting, Sighting::Time now) {
  std::string next;
  queue.LookAtOldest([&](const Task& task) { next = NextOne(task, sighting, now); });
  if (next.empty()) sighting.SeeNothing();
  return std::to_string(queue.ApproximateSize()) + next;
}

std::string DescribeShared(const SharedQueue& queue, Sighting& sighting, Sighting::Time now) {
  std::int64_t count = 0;
  std::string next;
  queue.ForEach([&](const Task& task) {
    if (count++ == 0) next = NextOne(task, sighting, now);
  });
  if (next.empty()) sighting.SeeNothing();
  return std::to_string(count) + next;
}

std::string DescribeSlot(Slot& slot, SlotSightings& sightings, Sighting::Time now) {
  // Before the look at the oldest one: what is pushed meanwhile looks newer, not older.
  const std::int64_t steps = slot.LookForSteps();
  const auto sizes = slot.deque.ApproximateSizes();
  std::string text = "  slot " + std::to_string(slot.index) + ": ";
  if (!slot.occupied.load(std::memory_order_relaxed)) {  // O1: a hint
    text += "nobody";
  } else {
    text += slot.parker.LooksParked() ? "a thread, asleep" : "a thread, awake";
  }
  text += "; deque " + std::to_string(sizes.all) + ", of them stealable " +
          std::to_string(sizes.shared);
  if (sizes.all > 0) {
    // An owner that has pushed nothing has not put another task in the oldest one's place.
    text +=
        ", the oldest" +
        Known(sightings.deque.See(sizes.oldest, static_cast<std::uint64_t>(steps), now)).substr(1);
  } else {
    sightings.deque.SeeNothing();
  }
  text += "; mail " + DescribeMail(slot.mailbox, sightings.mail, now);
  return text + "; ran " + std::to_string(slot.stats.dispatched.Read()) + "\n";
}

const char* NameOf(Priority priority) {
  switch (priority) {
    case Priority::kLow:
      return "low";
    case Priority::kNormal:
      return "normal";
    case Priority::kHigh:
      return "high";
  }
  return "no";
}

}  // namespace

// Everything here is for the reader; nothing is ordered by it.
std::string Arena::Describe(std::chrono::steady_clock::time_point now) {
  slot_sightings_.resize(static_cast<std::size_t>(slots_.count_with_extra()));
  std::string text = std::to_string(options_.slots) + " slots, " +
                     std::to_string(options_.reserved) + " of them reserved; " +
                     NameOf(options_.priority) + " priority\n";
  text += "  shared queue: " + DescribeShared(queue_, queue_sighting_, now) + "\n";
  if (!delegated_.Empty()) {
    text += "  functions that wait for a place here: " +
            DescribeMail(delegated_, delegated_sighting_, now) + "\n";
  }
  if (!set_aside_.Empty()) {
    text += "  set aside, for they hid tasks of an isolation: " +
            DescribeMail(set_aside_, set_aside_sighting_, now) + "\n";
  }
  text += std::string("  ") + wanted_.Describe() + "; searching " +
          std::to_string(idle_.ApproximateSearchers()) + ", in the shared queue too " +
          std::to_string(idle_.ApproximateQueueSearchers()) + "; sleeping waiters " +
          std::to_string(waiters_.ApproximateSize()) + ", that would serve the queue " +
          std::to_string(waiters_.ApproximateSizeOfQueue()) +
          "; the next push calls somebody: " + (idle_.need_wake().IsAsked() ? "yes" : "no") + "\n";
  const int used = slots_.used().Hint();
  for (int i = 0; i < used; ++i) {
    text += DescribeSlot(slots_[i], slot_sightings_[static_cast<std::size_t>(i)], now);
  }
  return text;
}

}  // namespace filch
