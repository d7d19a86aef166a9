// A pool for the Relacy race detector: the production source of everything that
// decides over sleeping and waking (workforce.h, absence.h, extra_slot.h, idle_protocol.h,
// idle_loops.h, slot_scan.h, unserved.h, vacancy.h, waiter_set.h, wanted.h, worker_slots.h,
// parker.h), of the deque and of the shared queue, put together as arena.cc, wait_for.cc,
// worker.cc and pool_host.h do.
//
// What is the model's own: tasks that only count, a thread that searches once
// (spin 0), workers that exist before they are started, and a fixed number of
// slots.
//
// Include it after everything else.
#ifndef FILCH_TESTS_MODEL_POOL_POOL_MODEL_H_
#define FILCH_TESTS_MODEL_POOL_POOL_MODEL_H_

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <vector>

#include "filch/deque/split_deque.h"
#include "filch/pool/absence.h"
#include "filch/pool/arena_slots.h"
#include "filch/pool/idle_loops.h"
#include "filch/pool/idle_protocol.h"
#include "filch/pool/looker.h"
#include "filch/pool/parker.h"
#include "filch/pool/shared_queue.h"
#include "filch/pool/slot_numbers.h"
#include "filch/pool/slot_scan.h"
#include "filch/pool/task_queue.h"
#include "filch/pool/waiter_set.h"
#include "filch/pool/wanted.h"
#include "filch/pool/workforce.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

class ModelArena;
class ModelPool;

using ModelAtomics = PoolModelAtomics;

class ModelTask {
 public:
  ModelTask* link() const { return link_.load(std::memory_order_relaxed); }
  void set_link(ModelTask* link) { link_.store(link, std::memory_order_relaxed); }
  MutableAtomic<ModelTask*>& link_word() { return link_; }
  std::uint64_t isolation() const { return 0; }

  // Its spawner, before it is published.
  void Prepare() { payload_ = 1; }
  // The task gives somebody a token.
  void set_unparks(ModelParker* parker) { unparks_ = parker; }
  // Whoever got it: once, and everything before it is visible.
  void Run() {
    RL_ASSERT(payload_ == 1);
    payload_ = 2;
    RL_ASSERT(runs_.fetch_add(1, std::memory_order_relaxed) == 0);
    if (unparks_ != nullptr) unparks_->Unpark();
  }

 private:
  MutableAtomic<ModelTask*> link_;
  Plain<int> payload_;
  Atomic<int> runs_;
  ModelParker* unparks_ = nullptr;
};

struct ModelSlot {
  SplitDeque<ModelTask*, ModelAtomics> deque{0, 4};
  pool_internal::BasicTaskQueue<ModelTask, ModelAtomics, ModelMutex> mailbox;
  ModelParker parker;
  MutableAtomic<bool> occupied;
  MutableAtomic<bool> away;
  pool_internal::BasicLooker<ModelAtomics> looker;
  ModelArena* arena = nullptr;
  int index = 0;
  int calls_to_spread = 0;
  struct {
    struct {
      void Increment() {}
    } forced;
  } stats;

  static void CheckProcess() {}
  inline void Spawn(ModelTask& task);
  inline void AttendIfNeeded();
};

class ModelArena {
 public:
  using Slot = ModelSlot;

  // Slots [0, slots) and the extra one; the first `reserved` are for outsiders.
  ModelArena(ModelPool& pool, int slots, int reserved, int priority = 0)
      : pool_(pool),
        priority_(priority),
        slots_(memory_of_slots_, slots, reserved, nobody_counts_) {
    int index = 0;
    for (Slot& slot : memory_of_slots_) {
      slot.arena = this;
      slot.index = index++;
    }
  }

  int priority() const { return priority_; }

  void Enqueue(ModelTask& task) {
    if (queue_.Push(task)) {
      idle_.NotifyQueued(Host(*this, nullptr));
    } else {
      idle_.NotifyQueuedBehind(Host(*this, nullptr));
    }
  }
  void Post(ModelTask& task, int slot) {
    slots_.used().Include(slot);
    slots_[slot].mailbox.Push(task);
    idle_.NotifyPosted(Host(*this, nullptr));
  }

  pool_internal::BasicArenaSlots<Slot, ModelAtomics>& slots() { return slots_; }
  Slot* Occupy(int index) { return slots_.TryOccupy(index); }
  Slot* OccupyAsWorker() { return slots_.OccupyAsWorker(-1, WorkerIsNeeded{*this}); }
  bool HasSlotForWorker() { return slots_.HasSlotForWorker(WorkerIsNeeded{*this}); }
  int FreeWorkerSlots() const { return slots_.FreeWorkerSlots(); }
  bool IsSuperfluous(const Slot& slot) const { return slots_.IsSuperfluous(slot); }
  void GoAway(Slot& slot) { pool_internal::GoAway(slot, Host(*this, nullptr)); }
  void Vacate(Slot& slot) { slots_.vacancy().Vacate(slot, idle_, Host(*this, nullptr)); }
  void MarkFull() { slots_.vacancy().MarkFull(); }
  // The one thread that seeks a slot sleeps on this.
  void set_seeker(ModelParker* parker) { seeker_ = parker; }

  // Its hooks are to hear of every worker.
  void set_has_hooks() { has_hooks_ = true; }
  bool has_hooks() const { return has_hooks_; }

  bool HasQueued() const { return !queue_.Empty(); }
  bool LooksBusy() {
    if (HasQueued()) return true;
    const int used = slots_.used().Hint();
    return std::any_of(slots_.begin(), slots_.begin() + used, [](const Slot& slot) {
      return !slot.mailbox.Empty() ||
             slot.deque.Inspect() != decltype(slot.deque)::Contents::kEmpty;
    });
  }
  bool ScanForAnyWork() { return HasQueued() || idle_.ScanForWork(Host(*this, nullptr)); }
  bool InsistsOnWorker() const { return HasQueued() || slots_.abstainers().Any(); }
  bool HasLeftBehind() const {
    return idle_.HasLeftBehind() &&
           (!slots_.IsSerial() ||
            slots_[slots_.count()].deque.Inspect() != decltype(Slot::deque)::Contents::kEmpty);
  }
  bool NeedsWorker() const { return InsistsOnWorker() || HasLeftBehind(); }
  void AddAbstainer() { slots_.abstainers().Add(Host(*this, nullptr)); }
  void RemoveAbstainer() { slots_.abstainers().Remove(); }
  inline void BeginSleepingWait();
  inline void EndSleepingWait();
  bool HasWorkerSlots() const { return slots_.HasWorkerSlots(); }

  // Rules 3 to 6.
  template <typename MayBegin>
  ModelTask* Next(Slot& slot, bool serves_queue, const MayBegin& may_begin) {
    const auto if_may_begin = [&](ModelTask* found) -> ModelTask* {
      if (may_begin()) return found;
      slot.Spawn(*found);
      return nullptr;
    };
    slot.AttendIfNeeded();
    ModelTask* task = nullptr;
    std::uint64_t isolation = 0;
    if (slot.deque.Pop(&task, &isolation)) return task;
    if (ModelTask* const mail = slot.mailbox.Pop()) {
      if (ModelTask* const task_to_run = if_may_begin(mail)) return task_to_run;
    }
    if (serves_queue) {
      if (ModelTask* const queued = queue_.Pop()) return queued;
    }
    const int used = slots_.used().Hint();
    for (int i = 0; i < used; ++i) {
      Slot& victim = slots_[i];
      if (&victim == &slot) continue;
      const StealResult<ModelTask*> loot = victim.deque.Steal();
      if (loot.status == StealStatus::kStolen) return if_may_begin(loot.item);
      if (ModelTask* const mail = victim.mailbox.Pop()) return if_may_begin(mail);
    }
    return nullptr;
  }

  void StartSearching(bool serves_queue) { idle_.StartSearching(serves_queue); }
  void StopSearching(Slot& slot, bool serves_queue) {
    idle_.StopSearching(Host(*this, &slot), serves_queue);
  }
  bool StopSearchingToSleep(Slot& slot, bool serves_queue) {
    return idle_.StopSearchingToSleep(Host(*this, &slot), serves_queue);
  }
  void SpreadCall(Slot& slot, int calls) {
    Host host(*this, &slot);
    slot.calls_to_spread = host.CanCall() ? idle_.SpreadCall(host, calls) : 0;
  }
  void ForwardWake(Slot& slot) { idle_.ForwardWake(Host(*this, &slot)); }
  void AnswerNeedWake(Slot& slot) {
    if (idle_.AnswerNeedWake(Host(*this, &slot))) {
      slot.calls_to_spread = decltype(idle_)::kCalls - 1;
    }
  }
  const pool_internal::BasicNeedWake<ModelAtomics>& need_wake() const { return idle_.need_wake(); }

  pool_internal::BasicWanted<ModelAtomics>& wanted() { return wanted_; }
  pool_internal::BasicWaiterSet<ModelAtomics>& waiters() { return waiters_; }
  bool WakeWaiter() {
    const int number = waiters_.Claim(HasQueued());
    if (number < 0) return false;
    slots_[number].parker.Unpark();
    return true;
  }

 private:
  static constexpr int kMaxSlots = 3;

  // What the slots ask.
  struct WorkerIsNeeded {
    const ModelArena& arena;
    bool operator()() const { return arena.NeedsWorker(); }
  };

  class Host {
   public:
    Host(ModelArena& arena, Slot* slot) : arena_(arena), slot_(slot) {}
    bool HasQueued() const { return arena_.HasQueued(); }
    inline bool CouldCome() const;
    inline bool CanCall() const;
    inline void Recruit(std::uint32_t most = 1);
    void RecruitLater() {
      if (!IsWanted()) Recruit();
    }
    bool HasSlotForWorker() { return arena_.HasSlotForWorker(); }
    bool IsWanted() const { return arena_.wanted_.IsSet(); }
    bool IsComing() const { return arena_.wanted_.IsComing(); }
    void AnswerNote() { arena_.wanted_.AnswerNote(); }
    inline void ShowNote();
    // The production arena looks into the deques as well, which the proof does not need.
    bool MayHaveWork() { return IsWanted(); }
    bool HasToShare() { return slot_->deque.Inspect() != decltype(slot_->deque)::Contents::kEmpty; }
    void Expose() { slot_->deque.Expose(); }
    bool SeesShared() const {
      return pool_internal::AnyIsShared(arena_.slots_.begin(), arena_.slots_.used().Hint());
    }
    bool ScanDeques() {
      return pool_internal::ScanSlots(arena_.slots_.begin(), arena_.slots_.used().Count(), slot_);
    }
    void WakeSeekers() {
      if (arena_.seeker_ != nullptr) arena_.seeker_->Unpark();
    }
    bool NeedsSomebody() const {
      return arena_.NeedsWorker() || arena_.slots_.vacancy().HasSeekers();
    }
    bool ExtraIsOpen() const { return arena_.slots_.ExtraIsOpen(); }
    void CallSomebody() {
      if (arena_.NeedsWorker()) Recruit();
      if (arena_.slots_.vacancy().HasSeekers()) WakeSeekers();
    }

   private:
    ModelArena& arena_;
    Slot* const slot_;
  };

  ModelPool& pool_;
  const int priority_;
  const pool_internal::SlotNumbers nobody_counts_;
  Slot memory_of_slots_[kMaxSlots + 1];
  pool_internal::BasicArenaSlots<Slot, ModelAtomics> slots_;
  pool_internal::BasicSharedQueue<ModelTask, ModelAtomics> queue_;
  pool_internal::BasicIdleProtocol<ModelAtomics> idle_;
  pool_internal::BasicWanted<ModelAtomics> wanted_;
  pool_internal::BasicWaiterSet<ModelAtomics> waiters_{kMaxSlots + 1};
  ModelParker* seeker_ = nullptr;
  bool has_hooks_ = false;
};

inline void ModelSlot::AttendIfNeeded() {
  if (calls_to_spread > 0 && deque.private_size() > 0) {
    deque.Expose();
    arena->SpreadCall(*this, calls_to_spread);
  }
  if ((deque.request_word() | arena->need_wake().word()) == 0) return;
  if (deque.exposure_requested()) deque.Expose();
  arena->AnswerNeedWake(*this);
}

inline void ModelSlot::Spawn(ModelTask& task) {
  deque.Push(&task, 0);
  pool_internal::BasicNeedWake<ModelAtomics>::AfterPush();
  AttendIfNeeded();
}

// What a scenario waits for: a number of tasks, by one thread in a slot.
class ModelCompletion {
 public:
  explicit ModelCompletion(int tasks) : left_(tasks) {}

  bool IsComplete() const { return left_.load(std::memory_order_seq_cst) == 0; }
  void Enlist(ModelParker& parker) { parker_.store(&parker, std::memory_order_seq_cst); }
  void Delist() { parker_.store(nullptr, std::memory_order_seq_cst); }

  void Done() {
    if (left_.fetch_sub(1, std::memory_order_seq_cst) != 1) return;
    ModelParker* const parker = parker_.load(std::memory_order_seq_cst);
    if (parker != nullptr) parker->Unpark();
  }
  // For a thread that does not help meanwhile.
  void Block(ModelParker& parker) {
    Enlist(parker);
    while (!IsComplete()) parker.Park();
  }

 private:
  Atomic<int> left_;
  Atomic<ModelParker*> parker_;
};

// A thread in its slot, for the loops of idle_loops.h.
class ModelThread {
 public:
  ModelThread(ModelSlot& slot, bool serves_queue, ModelCompletion& completion)
      : slot_(slot), serves_queue_(serves_queue), completion_(completion) {}

  ModelArena& arena() { return *slot_.arena; }
  int index() const { return slot_.index; }
  ModelParker& parker() { return slot_.parker; }
  void Park() {
    in_vain_ = false;
    arena().BeginSleepingWait();
    slot_.parker.Park();
    arena().EndSleepingWait();
  }
  void StartSearching(bool serves_queue) {
    slot_.calls_to_spread = 0;
    arena().StartSearching(serves_queue);
  }
  void SpreadCall() { arena().SpreadCall(slot_, pool_internal::IdleProtocol::kCalls); }
  void StopSearching(bool serves_queue) { arena().StopSearching(slot_, serves_queue); }
  bool StopSearchingToSleep(bool serves_queue) {
    return arena().StopSearchingToSleep(slot_, serves_queue);
  }
  void ForwardWake() { arena().ForwardWake(slot_); }
  static ModelTask* AnnounceIsolated() { return nullptr; }
  void WithdrawIsolated() {}
  bool HooksAreWaiting() const { return !told_ && slot_.arena->has_hooks(); }
  void TellHooks() { told_ = true; }
  template <typename Stop>
  bool SeesWork(const Stop& stop) {
    if (in_vain_) rl::yield(1, $);  // as in Search
    in_vain_ = stop() || !arena().LooksBusy();
    return !in_vain_;
  }
  static ModelTask* Nothing() { return nullptr; }
  // It is a worker's, in its stay.
  void set_worker(const pool_internal::BasicWorkforce<ModelAtomics>& workforce, int number) {
    workforce_ = &workforce;
    number_ = number;
  }
  ModelTask* Next() {
    return arena().Next(slot_, serves_queue_, [this] {
      return workforce_ == nullptr || workforce_->MayServe(number_, arena());
    });
  }
  template <typename Stop>
  ModelTask* Search(const Stop& stop) {
    // It goes back to search at once if it was told that there is something: what it
    // missed the last time it sees in a finite time, which is what a yield says here.
    if (in_vain_) rl::yield(1, $);
    ModelTask* const task = stop() ? nullptr : Next();
    in_vain_ = task == nullptr;
    return task;
  }
  template <typename Stop>
  void Run(ModelTask* task, const Stop& stop) {
    in_vain_ = false;
    while (task != nullptr) {
      task->Run();
      completion_.Done();
      if (stop()) return;
      task = Next();
    }
  }

 private:
  ModelSlot& slot_;
  const bool serves_queue_;
  ModelCompletion& completion_;
  // The last search found nothing, and the thread has not slept since.
  bool in_vain_ = false;
  // The hooks have heard of this stay.
  bool told_ = false;
  // Null: it waits.
  const pool_internal::BasicWorkforce<ModelAtomics>* workforce_ = nullptr;
  int number_ = 0;
};

class ModelPool {
 public:
  // Up to two workers, which serve tasks of `completion`.
  ModelPool(int limit, ModelCompletion& completion)
      : completion_(completion), workforce_(limit, kWorkers) {}

  // By descending priority, as Pool::AcquireArena.
  void AddArena(ModelArena& arena) {
    const auto place = std::find_if(arenas_.begin(), arenas_.end(), [&arena](auto* other) {
      return other->priority() < arena.priority();
    });
    arenas_.insert(place, &arena);
  }
  // The system has no threads for it.
  void RefuseWorkers() { refuses_ = true; }
  pool_internal::BasicWorkforce<ModelAtomics>& workforce() { return workforce_; }

  // The thread of worker `number`, until the pool shuts down.
  void WorkerMain(int number) {
    Worker worker(*this, number);
    start_[number].Park();
    if (!started_[number]) return;
    workforce_.RunWorker(*this, number, worker);
  }

  // The same in a pool whose workers are retired and started again: several lives.
  void WorkerLives(int number) {
    Worker worker(*this, number);
    for (;;) {
      start_[number].Park();
      if (!started_[number]) return;
      workforce_.RunWorker(*this, number, worker);
      ended_[number].Unpark();
    }
  }
  // As Pool::RetireWorkers, except that no arena looks busy to it.
  void Retire() {
    int count = 0;
    {
      const std::lock_guard<ModelMutex> lock(mutex_);
      count = workforce_.BeginRetirement();
      for (int i = 0; i < count; ++i) parkers_[i].Unpark();
    }
    for (int i = 0; i < count; ++i) ended_[i].Park();
    workforce_.EndRetirement();
    for (ModelArena* const arena : arenas_) {
      if (arena->wanted().IsSet()) workforce_.Recruit(*this, *arena);
    }
  }
  // The end of workers with several lives.
  void ShutDownLives() {
    workforce_.BeginShutdown();
    { const std::lock_guard<ModelMutex> lock(mutex_); }
    const int count = workforce_.count();
    for (int i = 0; i < count; ++i) parkers_[i].Unpark();
    for (int i = 0; i < count; ++i) ended_[i].Park();
    for (int i = 0; i < kWorkers; ++i) {
      started_[i] = false;
      start_[i].Unpark();
    }
  }

  // From a thread that is in no arena.
  void Shutdown() {
    workforce_.BeginShutdown();
    { const std::lock_guard<ModelMutex> lock(mutex_); }
    for (int i = 0; i < kWorkers; ++i) {
      if (started_[i]) {
        parkers_[i].Unpark();
      } else {
        start_[i].Unpark();
      }
    }
  }
  // As Pool::SetWorkerLimit, except that no arena looks busy to it.
  void SetLimit(int limit) {
    if (!workforce_.SetLimit(limit)) return;
    {
      const std::lock_guard<ModelMutex> lock(mutex_);
      workforce_.ForSuperfluous([this](int number) { Wake(number); });
    }
    for (ModelArena* const arena : arenas_) {
      if (arena->wanted().IsSet()) workforce_.Recruit(*this, *arena);
    }
  }

  // --- what Workforce asks
  ModelMutex& mutex() { return mutex_; }
  ModelArena* ArenaAt(std::size_t place) {
    const std::lock_guard<ModelMutex> lock(mutex_);
    return place < arenas_.size() ? arenas_[place] : nullptr;
  }
  const std::vector<ModelArena*>& arenas() const { return arenas_; }
  bool AddWorker(int number) {
    if (number >= kWorkers || refuses_) return false;
    started_[number] = true;
    start_[number].Unpark();
    return true;
  }
  void Wake(int number) { parkers_[number].Unpark(); }
  void WakeWaiter(ModelArena& arena) { arena.WakeWaiter(); }
  ModelSlot* OccupyAsWorker(ModelArena& arena, int) { return arena.OccupyAsWorker(); }

 private:
  static constexpr int kWorkers = 2;

  class Worker {
   public:
    Worker(ModelPool& pool, int number) : pool_(pool), number_(number) {}
    void ServeIn(ModelSlot& slot) {
      slot_ = &slot;
      wanted_above_ = false;
      ModelThread thread(slot, true, pool_.completion_);
      thread.set_worker(pool_.workforce_, number_);
      pool_internal::ServeUntilIdle(thread, *this);
      slot.arena->Vacate(slot);
    }
    void Park() { pool_.parkers_[number_].Park(); }
    bool MustLeave() {
      return pool_.workforce_.MustLeave(pool_, *slot_->arena, *slot_, number_, &wanted_above_);
    }
    void AnnounceSleep() { pool_.workforce_.AnnounceSleep(number_); }
    bool WithdrawSleep() { return pool_.workforce_.WithdrawSleep(number_); }

   private:
    ModelPool& pool_;
    const int number_;
    ModelSlot* slot_ = nullptr;
    bool wanted_above_ = false;
  };

  ModelCompletion& completion_;
  pool_internal::BasicWorkforce<ModelAtomics> workforce_;
  ModelMutex mutex_;
  std::vector<ModelArena*> arenas_;
  bool refuses_ = false;
  // Written under the lock before the token; read after it.
  bool started_[kWorkers] = {};
  ModelParker start_[kWorkers];
  ModelParker parkers_[kWorkers];
  ModelParker ended_[kWorkers];
};

inline bool ModelArena::Host::CouldCome() const {
  return arena_.pool_.workforce().CouldCome(arena_) || !arena_.waiters_.Empty();
}
inline bool ModelArena::Host::CanCall() const { return arena_.pool_.workforce().CanCall(arena_); }
inline void ModelArena::BeginSleepingWait() { pool_.workforce().BeginSleepingWait(pool_); }
inline void ModelArena::EndSleepingWait() { pool_.workforce().EndSleepingWait(); }
inline void ModelArena::Host::ShowNote() { arena_.pool_.workforce().ShowNote(arena_); }
inline void ModelArena::Host::Recruit(std::uint32_t most) {
  arena_.pool_.workforce().Recruit(arena_.pool_, arena_, most);
}

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_POOL_MODEL_H_
