#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include "filch/pool/arena.h"
#include "filch/pool/shared_queue.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "filch/pool/task_queue.h"

namespace filch {

using pool_internal::SharedQueue;
using pool_internal::Slot;
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

std::string NextOne(const Task& task) {
  return ", the next one is task " + Hex(reinterpret_cast<std::uintptr_t>(&task)) + ", code " +
         CodeOf(task);
}

std::string DescribeMail(const TaskQueue& queue) {
  std::string text = std::to_string(queue.ApproximateSize());
  queue.LookAtOldest([&text](const Task& task) { text += NextOne(task); });
  return text;
}

std::string DescribeShared(const SharedQueue& queue) {
  std::int64_t count = 0;
  std::string next;
  queue.ForEach([&](const Task& task) {
    if (count++ == 0) next = NextOne(task);
  });
  return std::to_string(count) + next;
}

std::string DescribeSlot(const Slot& slot) {
  const auto sizes = slot.deque.ApproximateSizes();
  std::string text = "  slot " + std::to_string(slot.index) + ": ";
  if (!slot.occupied.load(std::memory_order_relaxed)) {
    text += "nobody";
  } else {
    text += slot.parker.LooksParked() ? "a thread, asleep" : "a thread, awake";
  }
  text += "; deque " + std::to_string(sizes.all) + ", of them stealable " +
          std::to_string(sizes.shared) + "; mail " + DescribeMail(slot.mailbox);
  return text + "; ran " + std::to_string(slot.stats.dispatched.Read() + slot.stats.joins.Read()) +
         "\n";
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
std::string Arena::Describe() const {
  std::string text = std::to_string(options_.slots) + " slots, " +
                     std::to_string(options_.reserved) + " of them reserved; " +
                     NameOf(options_.priority) + " priority\n";
  text += "  shared queue: " + DescribeShared(queue_) + "\n";
  text += std::string("  ") + wanted_.Describe() + "; searching " +
          std::to_string(idle_.ApproximateSearchers()) + ", in the shared queue too " +
          std::to_string(idle_.ApproximateQueueSearchers()) + "; sleeping waiters " +
          std::to_string(waiters_.ApproximateSize()) + ", that would serve the queue " +
          std::to_string(queue_waiters_.ApproximateSize()) +
          "; the next push calls somebody: " + (idle_.need_wake().word() != 0 ? "yes" : "no") +
          "\n";
  const int used = used_slots_.Hint();
  for (int i = 0; i < used; ++i) text += DescribeSlot(slots_[i]);
  return text;
}

}  // namespace filch
