#include "../include/oneapi/tbb/task_arena.h"

#include <atomic>
#include <mutex>

#include "filch/pool/arena.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/topology/contract.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {

namespace d1 {
namespace {

filch::Priority PriorityOf(task_arena::priority level) {
  switch (level) {
    case task_arena::priority::low:
      return filch::Priority::kLow;
    case task_arena::priority::high:
      return filch::Priority::kHigh;
    default:
      return filch::Priority::kNormal;
  }
}

int SlotsFor(int max_concurrency) {
  if (max_concurrency == task_arena::automatic) return filch::DefaultPool().concurrency();
  if (max_concurrency < 1) {
    filch::Fail("tbb::task_arena: max_concurrency is neither automatic nor positive.");
  }
  return max_concurrency;
}

}  // namespace

void task_arena::initialize(int max_concurrency, unsigned reserved_for_masters,
                            priority a_priority) {
  if (is_active()) return;
  settings_ = {max_concurrency, reserved_for_masters, a_priority};
  Make();
}

void task_arena::initialize(attach) {
  const filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
  const std::lock_guard<std::mutex> lock(making_);
  if (slot == nullptr || is_active()) return;
  settings_ = {slot->arena->concurrency(), static_cast<unsigned>(slot->arena->options().reserved),
               priority::normal};
  attached_ = true;
  arena_.store(slot->arena, std::memory_order_release);  // A1: publishes the settings
}

void task_arena::terminate() {
  filch::Arena* const arena = arena_.load(std::memory_order_relaxed);  // A1: nobody else calls now
  if (arena == nullptr) return;
  if (!attached_) filch::DefaultPool().ReleaseArena(*arena);
  attached_ = false;
  arena_.store(nullptr, std::memory_order_relaxed);  // A1: nobody else calls now
}

int task_arena::max_concurrency() const {
  const filch::Arena* const arena = arena_.load(std::memory_order_acquire);  // A1
  return arena != nullptr ? arena->concurrency() : SlotsFor(settings_.max_concurrency);
}

int task_arena::current_thread_index() { return d2::current_thread_index(); }

filch::Arena& task_arena::Make() {
  const std::lock_guard<std::mutex> lock(making_);
  // A1: another thread may have made it while this one waited for the lock.
  filch::Arena* arena = arena_.load(std::memory_order_relaxed);
  if (arena == nullptr) {
    const int slots = SlotsFor(settings_.max_concurrency);
    arena = &filch::DefaultPool().AcquireArena(
        {slots, static_cast<int>(settings_.reserved), PriorityOf(settings_.level)});
    arena_.store(arena, std::memory_order_release);  // A1: publishes the arena
  }
  return *arena;
}

}  // namespace d1

namespace d2 {

int current_thread_index() {
  const filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
  return slot != nullptr ? slot->index : d1::task_arena::not_initialized;
}

int max_concurrency() {
  const filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
  return slot != nullptr ? slot->arena->concurrency() : filch::DefaultPool().concurrency();
}

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
