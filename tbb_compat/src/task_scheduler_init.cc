#include "../include/oneapi/tbb/task_scheduler_init.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "../include/oneapi/tbb/global_control.h"
#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/enter.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/topology/contract.h"

namespace tbb {
namespace {

using filch::pool_internal::attached_slot;
using filch::pool_internal::current_slot;
using filch::pool_internal::EnterScope;
using filch::pool_internal::Slot;

// A thread's own arena of so many threads, of which it is one: it is there while the object lives.
class OwnArena {
 public:
  explicit OwnArena(int threads)
      : threads_(static_cast<std::size_t>(threads)),
        slot_(Occupy(std::min(threads, filch::Pool::kMaxWorkers))),
        scope_(std::in_place, slot_) {}
  ~OwnArena() {
    scope_.reset();
    filch::DefaultPool().ReleaseArena(*slot_.arena);
  }
  OwnArena(const OwnArena&) = delete;
  OwnArena& operator=(const OwnArena&) = delete;

  // Whether the thread is there, and in the middle of nothing.
  bool IsHere() const { return current_slot == &slot_ && slot_.IsAtRest(); }

 private:
  // Workers are wanted for it.
  class Wish {
   public:
    explicit Wish(std::size_t threads) : threads_(threads) { detail::r1::WantThreads(threads_); }
    ~Wish() { detail::r1::WantThreadsNoMore(threads_); }
    Wish(const Wish&) = delete;
    Wish& operator=(const Wish&) = delete;

   private:
    const std::size_t threads_;
  };

  static Slot& Occupy(int slots) {
    filch::ArenaOptions options;
    options.slots = slots;
    return filch::pool_internal::OccupyFreeArena(options);
  }

  const Wish threads_;
  Slot& slot_;
  std::optional<EnterScope> scope_;
};

// The active objects of a thread, and what the first one has asked for.  Trivial, for
// objects that are destroyed after the thread's variables.
struct Active {
  int objects;
  OwnArena* arena;
};
thread_local Active active;

// Ends with the thread what its objects have begun: they may outlive it.
class EndOfThread {
 public:
  // From now on, on this thread.
  static void Watch() { static thread_local const EndOfThread end; }

 private:
  ~EndOfThread() {
    if (active.arena == nullptr || filch::pool_internal::ForkedChild::IsThisProcess()) return;
    delete std::exchange(active.arena, nullptr);
  }
};

}  // namespace

void task_scheduler_init::initialize(int number_of_threads, std::size_t stack_size) {
  if (number_of_threads == deferred) return;
  if (active_) filch::Fail("tbb::task_scheduler_init::initialize: the object is active.");
  if (number_of_threads != automatic && number_of_threads < 1) {
    filch::Fail(
        "tbb::task_scheduler_init: the number of threads is neither automatic nor positive.");
  }
  std::unique_ptr<global_control> stack;
  if (active.objects == 0 && stack_size != 0) {
    stack = std::make_unique<global_control>(global_control::thread_stack_size, stack_size);
  }
  // A thread that has made a group has a place, where it is with its first task.
  const bool has_place = current_slot != nullptr || attached_slot != nullptr;
  if (active.objects == 0 && number_of_threads != automatic && !has_place) {
    active.arena = new OwnArena(number_of_threads);
    EndOfThread::Watch();
  }
  ++active.objects;
  stack_ = std::move(stack);
  active_ = true;
}

void task_scheduler_init::terminate() {
  if (!active_) filch::Fail("tbb::task_scheduler_init::terminate: the object is not active.");
  active_ = false;
  stack_.reset();
  // On a thread that has not initialised it there may be none.
  if (active.objects == 0 || --active.objects > 0 || active.arena == nullptr) return;
  // From within a task, or another arena, there is no way out: the thread stays until it ends.
  if (active.arena->IsHere()) delete std::exchange(active.arena, nullptr);
}

int task_scheduler_init::default_num_threads() { return filch::DefaultPool().concurrency(); }

}  // namespace tbb
