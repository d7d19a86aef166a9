// What one thread hands to another outside of sleeping, joins, groups and loops: a function
// for a full arena, the turn of a serial queue, the watch over a shared queue, the elements of
// a thread table and the events of a trace.  The production source of delegation.h,
// serial_order.h, queue_watch.h, thread_table.h and trace_ring.h, put together as execute.cc,
// serial_queue.h and queue_guard.cc do.
#ifndef FILCH_TESTS_MODEL_POOL_HANDOVER_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_HANDOVER_SCENARIOS_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "filch/pool/delegation.h"
#include "filch/pool/parker.h"
#include "filch/pool/queue_watch.h"
#include "filch/pool/serial_order.h"
#include "filch/pool/shared_queue.h"
#include "filch/pool/task_queue.h"
#include "filch/pool/thread_table.h"
#include "filch/pool/trace_ring.h"
#include "filch/pool/vacancy.h"
#include "filch/pool/wait_table.h"
#include "tests/model/pool/model_sleep.h"
#include "tests/model/pool/one_slot_arena.h"

namespace filch {
namespace model {

// --- Delegation

// What is in the arena's queue.
struct DelegatedNode {
  DelegatedNode* link() const { return link_; }
  void set_link(DelegatedNode* link) { link_ = link; }
  Plain<DelegatedNode*> link_;
};

struct DelegationFixture {
  using Table = pool_internal::BasicWaitTable<ModelParker, ModelMutex, 1>;

  FutexBed bed;
  // Apart: whether two keys share a bucket depends on addresses, and an execution has to be
  // the same each time.
  Table task_table;
  Table slot_table;
  ModelParker parker;
  OneSlotArena arena;
  pool_internal::BasicTaskQueue<DelegatedNode, PoolModelAtomics, ModelMutex> queue;
  DelegatedNode node;
  pool_internal::BasicDelegation<PoolModelAtomics> delegation;
  Plain<int> work;
  Plain<int> result;

  struct Host {
    DelegationFixture& test;
    static bool HasSlotForWorker() { return true; }
    static void ShowNote() {}
    void WakeSeekers() { test.slot_table.WakeAll(&test.arena); }
  };

  void SetUp() {
    ModelFutex::Use(&bed);
    arena.Occupy();
  }
  void RunWork() {
    RL_ASSERT(work == 1);
    RL_ASSERT(result == 0);
    result = 1;
  }
  // A thread inside looks into the queue; as DelegatedTask::RunInside.
  void Serve() {
    if (queue.Pop() == nullptr) return;
    RunWork();
    delegation.Finish();
    task_table.WakeAll(&delegation);
  }
  void Leave() { arena.vacancy.Vacate(arena.slot, arena.idle, Host{*this}); }
  // As ExecuteIn a full arena.
  void Execute() {
    work = 1;
    queue.Push(node);
    Table::Waiter for_slot;
    Table::Waiter for_task;
    arena.vacancy.AddSeeker();
    slot_table.Enlist(for_slot, &arena, parker);
    task_table.Enlist(for_task, &delegation, parker);
    bool inside = false;
    bool taken = false;
    while (!delegation.done()) {
      if (!taken) inside = arena.Occupy();
      if (inside) {
        if (queue.Remove(node)) break;
        Leave();
        inside = false;
        taken = true;
      }
      if (!delegation.done()) parker.Park();
    }
    task_table.Delist(for_task);
    slot_table.Delist(for_slot);
    arena.vacancy.RemoveSeeker();
    if (inside) {
      RunWork();
      Leave();
    }
    RL_ASSERT(result == 1);
  }
};

// D2: the thread inside serves the queue and leaves; its slot is the only one.
struct DelegatedToOne : rl::test_suite<DelegatedToOne, 2>, DelegationFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Execute();
    } else {
      Serve();
      Leave();
    }
  }
};

// One thread inside serves the queue, and another one leaves.
struct DelegatedToTwo : rl::test_suite<DelegatedToTwo, 3>, DelegationFixture {
  void before() { SetUp(); }
  void thread(unsigned index) {
    if (index == 0) {
      Execute();
    } else if (index == 1) {
      Serve();
    } else {
      Leave();
    }
  }
};

// --- SerialOrder

struct SerialNode {
  SerialNode* link() const { return link_; }
  void set_link(SerialNode* link) { link_ = link; }
  Plain<SerialNode*> link_;
  unsigned pusher = 0;
  int number = 0;
};

// N1: each thread pushes two tasks, and runs what it is told to start at once: less can not
// lie between the two.  The tasks exclude each other, and those of one thread keep their
// order.
template <unsigned kPushers>
struct SerialTurns : rl::test_suite<SerialTurns<kPushers>, kPushers> {
  pool_internal::BasicSerialOrder<SerialNode, PoolModelAtomics, ModelMutex> order;
  SerialNode nodes[kPushers][2];
  Plain<int> runs;
  Plain<int> next[kPushers];

  void thread(unsigned index) {
    SerialNode* started = nullptr;
    const auto start = [&](SerialNode& node) { started = &node; };
    for (int i = 0; i < 2; ++i) {
      SerialNode& node = nodes[index][i];
      node.pusher = index;
      node.number = i;
      order.Push(node, start);
      while (SerialNode* const task = std::exchange(started, nullptr)) {
        RL_ASSERT(next[task->pusher] == task->number);
        next[task->pusher] += 1;
        runs += 1;
        order.Done(start);
      }
    }
  }
  void after() { RL_ASSERT(runs == 2 * static_cast<int>(kPushers)); }
};

// --- QueueWatch

// What is enqueued.
struct EnqueuedNode {
  MutableAtomic<EnqueuedNode*>& link_word() { return link; }
  MutableAtomic<EnqueuedNode*> link;
};

// V1: a watcher that finds the queue empty, and threads that push: what is queued at the end
// is watched.
template <unsigned kPushers>
struct WatchGoesOn : rl::test_suite<WatchGoesOn<kPushers>, kPushers + 1> {
  pool_internal::BasicSharedQueue<EnqueuedNode, PoolModelAtomics> queue;
  pool_internal::BasicQueueWatch<PoolModelAtomics> watch;
  EnqueuedNode nodes[kPushers];
  ModelMutex mutex;  // of the guard
  int told = 0;

  void before() { RL_ASSERT(watch.Begin()); }
  void thread(unsigned index) {
    if (index > 0) {
      queue.Push(nodes[index - 1]);
      if (!watch.Begin()) return;
      mutex.lock();
      ++told;
      mutex.unlock();
      return;
    }
    // Until it forgets the queue: twice is enough.
    for (int i = 0; i < 2; ++i) {
      if (!watch.GoesOn([&] { return !queue.Empty(); })) return;
      queue.Pop();
    }
    goes_on = true;
  }
  void after() {
    // One at a time watches, and somebody while there is work.
    RL_ASSERT(told + (goes_on ? 1 : 0) <= 1);
    if (!queue.Empty()) RL_ASSERT(told + (goes_on ? 1 : 0) == 1);
  }

  bool goes_on = false;
};

// --- ThreadTable

template <std::size_t kFirstSize>
struct TableFixture {
  pool_internal::BasicThreadTable<PoolModelAtomics, ModelMutex, pool_internal::NewMemory,
                                  kFirstSize>
      table;
  Plain<int> elements[3];
};

// M1: each thread finds its own element, and nothing before that, while the table grows.
template <unsigned kThreads>
struct TableGrows : rl::test_suite<TableGrows<kThreads>, kThreads>, TableFixture<2> {
  void thread(unsigned index) {
    const std::uintptr_t number = index + 1;
    RL_ASSERT(table.FindFor(number) == nullptr);
    elements[index] = 1;
    table.Insert(number, &elements[index]);
    for (int i = 0; i < 2; ++i) RL_ASSERT(table.FindFor(number) == &elements[index]);
  }
};

// A thread that has inherited its number from one that is gone, or whose element somebody else
// notes: it finds the element as it was made, if it finds it.  The first table has room for two.
struct HeirFinds : rl::test_suite<HeirFinds, 2>, TableFixture<4> {
  void thread(unsigned index) {
    if (index == 0) {
      for (std::uintptr_t i = 0; i < 2; ++i) {
        elements[i] = 1;
        table.Insert(i + 1, &elements[i]);
      }
      return;
    }
    for (std::uintptr_t i = 0; i < 2; ++i) {
      auto* const element = static_cast<Plain<int>*>(table.FindFor(i + 1));
      if (element != nullptr) RL_ASSERT(*element == 1);
    }
  }
};

// --- TraceRing

// X1: no event is half another one, and none is older than what was there before.
template <int kEvents, int kReads>
struct TraceIsRead : rl::test_suite<TraceIsRead<kEvents, kReads>, 2> {
  pool_internal::BasicTraceRing<PoolModelAtomics> ring{1};

  void thread(unsigned index) {
    if (index == 0) {
      for (int i = 1; i <= kEvents; ++i) {
        ring.Record({i, pool_internal::TraceKind::kTaskBegin, static_cast<std::uint8_t>(i)});
      }
      return;
    }
    std::int64_t last = 1;
    for (int i = 0; i < kReads; ++i) {
      const std::vector<pool_internal::TraceEvent> events = ring.Read();
      for (const pool_internal::TraceEvent& event : events) {
        RL_ASSERT(event.nanoseconds == event.detail);
        RL_ASSERT(event.nanoseconds >= last);
        last = event.nanoseconds;
      }
    }
  }
  void after() {
    const std::vector<pool_internal::TraceEvent> events = ring.Read();
    RL_ASSERT(!events.empty() && events.back().nanoseconds == kEvents);
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_HANDOVER_SCENARIOS_H_
