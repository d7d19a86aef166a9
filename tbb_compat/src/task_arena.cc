#define __TBB_EXTRA_DEBUG 1  // for the members of task_arena that tests of schedulers ask for

#include "../include/oneapi/tbb/task_arena.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <thread>

#include "../include/oneapi/tbb/detail/_usable_cpus.h"
#include "../include/oneapi/tbb/global_control.h"
#include "filch/pool/arena.h"
#include "filch/pool/arena_hook.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {

namespace d1 {
namespace {

int SlotsFor(const constraints& where) {
  // As with oneTBB, whatever is not positive is automatic: programs ask for half of one cpu.
  return where.max_concurrency < 1 ? r1::UsableConcurrency(where) : where.max_concurrency;
}

// Of an arena, for the calling thread, which is in that slot or in none.
int ConcurrencyNow(const filch::Arena& arena, const filch::pool_internal::Slot* slot) {
  if (slot == nullptr || slot->arena != &arena) return arena.concurrency_now();
  if (arena.concurrency() > 1) return std::max(arena.concurrency(), slot->index + 1);
  // A call from outside may be made in the slot beyond the only one, too, but is no reason to say
  // that there are two.
  if (slot->in_call) return arena.concurrency_now();
  // A worker in the only place, where that is for workers, leaves it to those who come from outside
  // meanwhile to count one more.
  return std::max(arena.HasWorkerSlots() ? 1 : arena.concurrency_now(), slot->index + 1);
}

}  // namespace

void task_arena::MakeWith(const Settings& settings) {
  if (is_active()) return;
  settings_ = settings;
  Get();
}

void task_arena::initialize(attach) {
  if (!Join()) Get();
}

bool task_arena::Join() {
  const filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
  const std::lock_guard lock(making_);
  if (slot == nullptr || is_active()) return false;
  settings_ = On(slot->concurrency, static_cast<unsigned>(slot->arena->options().reserved),
                 priority::normal, leave_policy::automatic);
  attached_ = true;
  slot->arena->attachments().Add();
  // Who attaches asks how many slots there are, sooner or later.
  slot->arena->CountOnAllSlots();
  arena_.store(slot->arena, std::memory_order_release);  // A1: publishes the settings
  return true;
}

void task_arena::terminate() {
  filch::Arena* const arena = arena_.load(std::memory_order_relaxed);  // A1: nobody else calls now
  if (arena == nullptr) return;
  if (attached_) {
    arena->attachments().Remove();
  } else {
    filch::DefaultPool().ReleaseArena(*arena);
  }
  attached_ = false;
  arena_.store(nullptr, std::memory_order_relaxed);  // A1: nobody else calls now
}

int task_arena::MaxConcurrencyNow() const {
  const filch::Arena* const arena = arena_.load(std::memory_order_acquire);  // A1
  return arena != nullptr ? ConcurrencyNow(*arena, filch::pool_internal::current_slot)
                          : SlotsFor(settings_.where);
}

int task_arena::current_thread_index() { return d2::current_thread_index(); }

filch::Arena& task_arena::Make() {
  const std::lock_guard lock(making_);
  // A1: another thread may have made it while this one waited for the lock.
  filch::Arena* arena = arena_.load(std::memory_order_relaxed);
  if (arena == nullptr) {
    filch::ArenaOptions options;
    options.slots = SlotsFor(settings_.where);
    options.reserved =
        static_cast<int>(std::min(settings_.reserved, static_cast<unsigned>(options.slots)));
    options.priority = ArenaPriority(static_cast<priority_t>(settings_.level));
    options.cpus = r1::UsableCpus(settings_.where);
    options.leave_fast = settings_.leave == leave_policy::fast ||
                         global_control::active_value(global_control::leave_policy) ==
                             static_cast<std::size_t>(leave_policy::fast);
    arena = &filch::DefaultPool().AcquireArena(options);
    arena->CountOnOwnSlots();
    arena_.store(arena, std::memory_order_release);  // A1: publishes the arena
  }
  return *arena;
}

void task_arena::debug_wait_until_empty() {
  filch::Arena& arena = Get();
  const filch::pool_internal::Slot* const own = filch::pool_internal::current_slot;
  while (arena.LooksBusy() || arena.slots().AnyIsOccupied(own)) std::this_thread::yield();
}

}  // namespace d1

namespace d2 {

int current_thread_index() {
  const filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
  if (slot == nullptr) return d1::task_arena::not_initialized;
  slot->arena->CountOnAllSlots();
  return slot->index;
}

int max_concurrency() {
  const filch::pool_internal::Slot* const slot = filch::pool_internal::current_slot;
  if (slot == nullptr) {
    filch::Pool& pool = filch::DefaultPool();
    pool.CountOnSlots();
    return pool.concurrency();
  }
  filch::Arena& arena = *slot->arena;
  arena.CountOnAllSlots();
  return ConcurrencyNow(arena, slot);
}

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
