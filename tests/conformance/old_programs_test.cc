// How programs that were written for TBB 2017 to 2020 use tbb::task: the ways in
// which they make tasks, hold them, and pass them around.
// What they declare before their first TBB header.
namespace tbb {
class empty_task;
class structured_task_group;
class task;
class task_group;
class task_group_context;
class task_list;
class task_scheduler_init;
}  // namespace tbb

#include <tbb/aligned_space.h>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/parallel_do.h>
#include <tbb/parallel_for.h>
#include <tbb/scalable_allocator.h>
#include <tbb/spin_rw_mutex.h>
#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_init.h>
#include <tbb/tbb_allocator.h>
#include <tbb/tbb_config.h>
#include <tbb/tbb_exception.h>
#include <tbb/tbb_profiling.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/counted_task.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

class OldProgramsTest : public ParallelismTest {
 protected:
  ~OldProgramsTest() override { EXPECT_EQ(CountedTask::live(), 0); }
};

// --- a pool of work items that are tasks themselves, and say so only here

class PoolItem : public CountedTask {
 public:
  // `new Item(...)` is a root.
  static void* operator new(std::size_t size) {
    return ::operator new(size, tbb::task::allocate_root());
  }
  // Only for a constructor that throws and for `delete`: the scheduler does not
  // come here.
  static void operator delete(void* item, std::size_t size) noexcept {
    if (size != 0) tbb::task::destroy(*static_cast<tbb::task*>(item));
  }

 private:
  virtual void Run() = 0;
  tbb::task* execute() override {
    Run();
    return nullptr;
  }
};

class AddItem final : public PoolItem {
 public:
  AddItem(tbb::task& all, std::atomic<int>& sum, int value) : sum_(sum), value_(value) {
    all.increment_ref_count();
    set_parent(&all);
  }

 private:
  void Run() override { sum_ += value_; }

  std::atomic<int>& sum_;
  const int value_;
};

TEST_P(OldProgramsTest, ItemsOfAPoolAreRootsThatFindTheirParentLater) {
  tbb::empty_task* const all = new (tbb::task::allocate_root()) tbb::empty_task;
  all->set_ref_count(1);
  std::atomic<int> sum{0};
  for (int i = 1; i <= 100; ++i) {
    PoolItem* const item = new AddItem(*all, sum, i);
    if (i % 2 == 0) {
      tbb::task::spawn(*item);
    } else {
      tbb::task::enqueue(*item);
    }
  }
  all->wait_for_all();
  EXPECT_EQ(sum, 5050);
  tbb::task::destroy(*all);
}

// --- waiting tasks that carry an exception, and lists of them

class Waiting : public CountedTask {
 public:
  std::exception_ptr exception() const { return exception_; }
  void DependentFailed(const std::exception_ptr& exception) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!exception_) exception_ = exception;
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
};

class WaitedFor final : public Waiting {
  tbb::task* execute() override { return nullptr; }
};

// The frame owns it, and the scheduler never does.
std::unique_ptr<Waiting, void (*)(tbb::task*)> MakeWaitedFor() {
  return {new (tbb::task::allocate_root()) WaitedFor,
          [](tbb::task* task) { tbb::task::destroy(*task); }};
}

template <typename F>
class WaitingFunction final : public Waiting {
 public:
  explicit WaitingFunction(F f) : f_(std::move(f)) {}

 private:
  tbb::task* execute() override {
    f_(exception());
    return nullptr;
  }
  F f_;
};

template <typename Allocation, typename F>
Waiting* MakeWaiting(Allocation&& allocation, F f) {
  return new (std::forward<Allocation>(allocation)) WaitingFunction<F>(std::move(f));
}

class WaitingList {
 public:
  void Add(Waiting* task) {
    task->increment_ref_count();
    const std::lock_guard<std::mutex> lock(mutex_);
    tasks_.push_back(task);
  }
  void DoneWaiting(const std::exception_ptr& exception) {
    std::deque<Waiting*> tasks;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tasks.swap(tasks_);
    }
    for (Waiting* task : tasks) {
      if (exception) task->DependentFailed(exception);
      if (task->decrement_ref_count() == 0) tbb::task::spawn(*task);
    }
  }

 private:
  std::mutex mutex_;
  std::deque<Waiting*> tasks_;
};

TEST_P(OldProgramsTest, AListOfWaitingTasksStartsWhenItsSourceIsDone) {
  for (const bool fails : {false, true}) {
    const auto last = MakeWaitedFor();
    last->set_ref_count(1);
    WaitingList modules;
    std::atomic<int> failures{0};
    constexpr int kModules = 20;
    for (int i = 0; i < kModules; ++i) {
      last->increment_ref_count();
      Waiting* const module =
          MakeWaiting(tbb::task::allocate_root(), [&](const std::exception_ptr& exception) {
            if (exception) {
              ++failures;
              last->DependentFailed(exception);
            }
            last->decrement_ref_count();
          });
      modules.Add(module);
    }
    last->increment_ref_count();
    tbb::task::spawn(*MakeWaiting(last->allocate_child(), [&](const std::exception_ptr&) {
      std::exception_ptr exception;
      if (fails) exception = std::make_exception_ptr(std::runtime_error("no input"));
      modules.DoneWaiting(exception);
    }));
    last->wait_for_all();
    // A module counts itself off and is destroyed after that.
    while (CountedTask::live() != 1) std::this_thread::yield();
    EXPECT_EQ(failures, fails ? kModules : 0);
    EXPECT_EQ(last->exception() != nullptr, fails);
  }
}

// --- an elimination tree: a front starts its children as a list, then works

struct Front {
  std::vector<int> children;
  long own = 0;
  long total = 0;
};

class FrontTask final : public CountedTask {
 public:
  FrontTask(std::vector<Front>& fronts, int index) : fronts_(fronts), index_(index) {}

 private:
  tbb::task* execute() override {
    Front& front = fronts_[static_cast<std::size_t>(index_)];
    if (!front.children.empty()) {
      tbb::task_list list;
      int count = 1;
      for (const int child : front.children) {
        list.push_back(*new (allocate_child()) FrontTask(fronts_, child));
        ++count;
      }
      set_ref_count(count);
      spawn_and_wait_for_all(list);
    }
    front.total = front.own;
    for (const int child : front.children) {
      front.total += fronts_[static_cast<std::size_t>(child)].total;
    }
    return nullptr;
  }

  std::vector<Front>& fronts_;
  const int index_;
};

TEST_P(OldProgramsTest, AnEliminationTreeWorksFromTheLeavesUp) {
  const tbb::task_scheduler_init init(static_cast<int>(limit()));
  constexpr int kFronts = 1000;
  std::vector<Front> fronts(kFronts);
  for (int i = 0; i < kFronts; ++i) {
    fronts[static_cast<std::size_t>(i)].own = i;
    if (i > 0) fronts[static_cast<std::size_t>((i - 1) / 3)].children.push_back(i);
  }
  FrontTask& root = *new (tbb::task::allocate_root()) FrontTask(fronts, 0);
  tbb::task::spawn_root_and_wait(root);
  EXPECT_EQ(fronts[0].total, kFronts * (kFronts - 1) / 2);
}

// --- a graph walk that adds children to a task that it has by pointer, in the
// spelling of programs that were old in 2017

struct Cell {
  std::vector<Cell*> next;
  std::atomic<bool> seen{false};
};

class Visit final : public CountedTask {
 public:
  Visit(Cell& cell, std::atomic<int>& visited) : cell_(cell), visited_(visited) {}

 private:
  tbb::task* execute() override {
    ++visited_;
    for (Cell* next : cell_.next) {
      if (next->seen.exchange(true)) continue;
      tbb::task& self = tbb::task::self();
      self.spawn(*new (self.allocate_additional_child_of(*self.parent())) Visit(*next, visited_));
    }
    return nullptr;
  }

  Cell& cell_;
  std::atomic<int>& visited_;
};

TEST_P(OldProgramsTest, AWalkAddsItsTasksToACommonParent) {
  constexpr std::size_t kCells = 500;
  std::vector<Cell> cells(kCells);
  for (std::size_t i = 0; i < kCells; ++i) {
    for (const std::size_t to : {2 * i + 1, 2 * i + 2, i + 7}) {
      if (to < kCells) cells[i].next.push_back(&cells[to]);
    }
  }
  std::atomic<int> visited{0};
  cells[0].seen = true;
  tbb::task* const parent = new (tbb::task::allocate_root()) tbb::empty_task();
  parent->set_ref_count(2);
  parent->spawn_and_wait_for_all(*new (parent->allocate_child()) Visit(cells[0], visited));
  EXPECT_EQ(visited, static_cast<int>(kCells));
  parent->destroy(*parent);
}

// --- sweeps over the same blocks, each of which remembers where it ran

struct Block {
  tbb::task::affinity_id affinity = 0;
  std::vector<double> values = std::vector<double>(64, 1.0);
};

class Sweep final : public CountedTask {
 public:
  explicit Sweep(Block& block) : block_(block) { set_affinity(block.affinity); }
  void note_affinity(affinity_id id) override { block_.affinity = id; }

 private:
  tbb::task* execute() override {
    for (double& value : block_.values) value += 1.0;
    return nullptr;
  }

  Block& block_;
};

class Sweeps final : public CountedTask {
 public:
  explicit Sweeps(std::vector<Block>& blocks) : blocks_(blocks) {}

 private:
  tbb::task* execute() override {
    if (++sweep_ > kSweeps) return nullptr;
    recycle_as_safe_continuation();
    set_ref_count(static_cast<int>(blocks_.size()) + 1);
    for (Block& block : blocks_) spawn(*new (allocate_child()) Sweep(block));
    return nullptr;
  }

  static constexpr int kSweeps = 20;
  std::vector<Block>& blocks_;
  int sweep_ = 0;
};

TEST_P(OldProgramsTest, SweepsReplayWhereTheirBlocksRan) {
  std::vector<Block> blocks(32);
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Sweeps(blocks));
  for (const Block& block : blocks) {
    EXPECT_EQ(std::accumulate(block.values.begin(), block.values.end(), 0.0), 64 * 21.0);
  }
}

// --- a dispatcher: an empty root in a context of its own, which several threads wait
// for while others add to it

class Dispatcher {
 public:
  Dispatcher()
      : context_(tbb::task_group_context::isolated, tbb::task_group_context::concurrent_wait |
                                                        tbb::task_group_context::default_traits),
        root_(new (tbb::task::allocate_root(context_)) tbb::empty_task) {
    root_->set_ref_count(1);
  }
  ~Dispatcher() {
    Wait();
    tbb::task::destroy(*root_);
  }
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  template <typename F>
  void Run(F&& f) {
    root_->spawn(Make(std::forward<F>(f)));
  }
  void Wait() {
    root_->wait_for_all();
    if (context_.is_group_execution_cancelled()) context_.reset();
  }
  void Cancel() { context_.cancel_group_execution(); }

 private:
  template <typename F>
  class Invoker final : public CountedTask {
   public:
    explicit Invoker(F&& f) : f_(std::move(f)) {}
    explicit Invoker(const F& f) : f_(f) {}

   private:
    virtual tbb::task* execute() __TBB_override {
      f_();
      return NULL;
    }
    F f_;
  };

  template <typename F>
  Invoker<std::decay_t<F>>& Make(F&& f) {
    return *new (root_->allocate_additional_child_of(*root_))
        Invoker<std::decay_t<F>>(std::forward<F>(f));
  }

  tbb::task_group_context context_;
  tbb::empty_task* root_;
};

void RunTree(Dispatcher& dispatcher, int levels, std::atomic<int>& nodes) {
  ++nodes;
  if (levels == 0) return;
  for (int i = 0; i < 2; ++i) {
    dispatcher.Run([&dispatcher, levels, &nodes] { RunTree(dispatcher, levels - 1, nodes); });
  }
}

TEST_P(OldProgramsTest, ADispatcherServesSeveralThreads) {
  Dispatcher dispatcher;
  std::atomic<int> nodes{0};
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      RunTree(dispatcher, 6, nodes);
      dispatcher.Wait();
    });
  }
  for (std::thread& thread : threads) thread.join();
  dispatcher.Wait();
  EXPECT_EQ(nodes, 3 * 127);

  // Cancelled, and as new after the wait.
  std::atomic<int> ran{0};
  for (int i = 0; i < 100; ++i) {
    dispatcher.Run([&] {
      ++ran;
      dispatcher.Cancel();
    });
  }
  dispatcher.Wait();
  EXPECT_GE(ran, 1);
  nodes = 0;
  dispatcher.Run([&] { RunTree(dispatcher, 3, nodes); });
  dispatcher.Wait();
  EXPECT_EQ(nodes, 15);
}

// --- a queue of tasks that run one after the other; each returns the next

class SerialQueue : tbb::internal::no_copy {
 public:
  template <typename F>
  void Push(F f) {
    Start(new (tbb::task::allocate_root()) Queued<F>(*this, std::move(f)));
  }
  template <typename F>
  void PushAndWait(F f) {
    tbb::empty_task* const wait = new (tbb::task::allocate_root()) tbb::empty_task;
    wait->set_ref_count(2);
    Start(new (wait->allocate_child()) Queued<F>(*this, std::move(f)));
    wait->wait_for_all();
    tbb::task::destroy(*wait);
  }

 private:
  template <typename F>
  class Queued final : public CountedTask {
   public:
    Queued(SerialQueue& queue, F f) : queue_(queue), f_(std::move(f)) {}

   private:
    tbb::task* execute() override {
      f_();
      return queue_.Next(nullptr, true);
    }
    SerialQueue& queue_;
    F f_;
  };

  void Start(tbb::task* added) {
    if (tbb::task* const next = Next(added, false)) tbb::task::spawn(*next);
  }
  tbb::task* Next(tbb::task* added, bool finished) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (added != nullptr) tasks_.push_back(added);
    if (finished) running_ = false;
    if (running_ || tasks_.empty()) return nullptr;
    running_ = true;
    tbb::task* const next = tasks_.front();
    tasks_.pop_front();
    return next;
  }

  std::mutex mutex_;
  std::deque<tbb::task*> tasks_;
  bool running_ = false;
};

TEST_P(OldProgramsTest, ASerialQueueRunsOneAfterTheOther) {
  SerialQueue queue;
  int sum = 0;  // nobody else's while a task of the queue runs
  tbb::parallel_for(0, 100, [&](int i) { queue.Push([&sum, i] { sum += i; }); });
  queue.PushAndWait([&sum] { sum += 50; });
  EXPECT_EQ(sum, 5000);
}

// --- work that a thread of another library completes: it knows the arena and puts the
// spawn there

TEST_P(OldProgramsTest, AnotherLibrarysThreadCompletesInTheArena) {
  tbb::empty_task* const end = new (tbb::task::allocate_root()) tbb::empty_task;
  end->set_ref_count(2);
  std::atomic<bool> ran{false};
  Waiting* const next =
      MakeWaiting(end->allocate_child(), [&](const std::exception_ptr&) { ran = true; });
  next->increment_ref_count();
  const auto arena = std::make_shared<tbb::task_arena>(tbb::task_arena::attach());
  std::thread other([next, arena] {
    if (next->decrement_ref_count() == 0) arena->enqueue([next] { tbb::task::spawn(*next); });
  });
  end->wait_for_all();
  other.join();
  EXPECT_TRUE(ran);
  tbb::task::destroy(*end);
}

// --- what goes with tasks, under either include root

TEST_P(OldProgramsTest, ParallelDoFeedsItself) {
  std::vector<int> roots = {10, 9, 8};
  std::atomic<int> sum{0};
  tbb::parallel_do(roots.begin(), roots.end(), [&](int n, tbb::parallel_do_feeder<int>& feeder) {
    sum += n;
    if (n > 1) feeder.add(n - 1);
  });
  EXPECT_EQ(sum, 55 + 45 + 36);
  sum = 0;
  tbb::task_group_context context;
  tbb::parallel_do(
      roots, [&](int n) { sum += n; }, context);
  EXPECT_EQ(sum, 27);
}

TEST_P(OldProgramsTest, ExceptionsCanBeKeptAndThrown) {
  const tbb::captured_exception original("Name", "text");
  tbb::captured_exception copied = original;
  tbb::tbb_exception* const kept = copied.move();
  EXPECT_STREQ(kept->name(), "Name");
  EXPECT_STREQ(kept->what(), "text");
  EXPECT_THROW(kept->throw_self(), tbb::captured_exception);
  kept->destroy();
#ifndef CONFORMANCE_ON_TBB_2020  // has it for itself
  tbb::captured_exception* const made = tbb::captured_exception::allocate("Name", "other text");
  EXPECT_STREQ(made->what(), "other text");
  made->destroy();
#endif

  try {
    tbb::parallel_for(0, 100, [](int i) {
      if (i == 50) throw tbb::movable_exception<int>(i);
    });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const tbb::movable_exception<int>& exception) {
    EXPECT_EQ(exception.data(), 50);
  }
  EXPECT_THROW(throw tbb::improper_lock(), std::exception);
  EXPECT_THROW(throw tbb::invalid_multiple_scheduling(), std::exception);
}

#ifdef CONFORMANCE_ON_TBB_2020  // has arenas without saying so any more
#define __TBB_TASK_ARENA 1
#endif
#if !__TBB_TASK_GROUP_CONTEXT || !__TBB_TASK_PRIORITY || !__TBB_TASK_ARENA
#error "programs that ask would do without"
#endif

TEST_P(OldProgramsTest, HelpersOfTheSchedulerDoWhatTheySay) {
  static_assert(!std::is_copy_constructible_v<SerialQueue>);
  struct Kept : tbb::internal::no_assign {
    int value = 1;
  };
  static_assert(std::is_copy_constructible_v<Kept> && !std::is_copy_assignable_v<Kept>);
  static_assert(std::is_same_v<tbb::internal::affinity_id, tbb::task::affinity_id>);
  struct {
    char bytes[tbb::internal::NFS_MaxLineSize];
  } padded{};
  tbb::internal::suppress_unused_warning(padded);
  std::atomic<bool> ran{false};
  tbb::task::enqueue(Make(tbb::task::allocate_root(), [&ran](tbb::task&) {
    ran = true;
    return nullptr;
  }));
  while (!ran) {
    __TBB_Pause(1);
    __TBB_Yield();
  }
  while (CountedTask::live() != 0) __TBB_Yield();
  const tbb::task_scheduler_init init(tbb::task_scheduler_init::automatic, tbb::stack_size_type(1)
                                                                               << 20);
  EXPECT_TRUE(init.is_active());
}

// --- helpers that are told how to make a task by a proxy

struct Leaf : CountedTask {
  explicit Leaf(std::atomic<int>& runs) : ran(runs) {}
  tbb::task* execute() override {
    ++ran;
    return nullptr;
  }
  std::atomic<int>& ran;
};

template <typename Proxy>
Leaf& ByReference(Proxy& proxy, std::atomic<int>& ran) {
  return *new (proxy) Leaf(ran);
}
template <typename Proxy>
Leaf& ByConstReference(const Proxy& proxy, std::atomic<int>& ran) {
  return *new (proxy) Leaf(ran);
}
template <typename Proxy>
Leaf& Forwarded(Proxy&& proxy, std::atomic<int>& ran) {
  return *new (std::forward<Proxy>(proxy)) Leaf(ran);
}
template <typename Proxy>
Leaf& ByValue(Proxy proxy, std::atomic<int>& ran) {
  return *new (proxy) Leaf(ran);
}

struct MakesByHelpers : CountedTask {
  explicit MakesByHelpers(std::atomic<int>& runs) : ran(runs) {}
  tbb::task* execute() override {
    tbb::task& next = *new (allocate_continuation()) tbb::empty_task;
    next.set_ref_count(5);
    tbb::internal::allocate_child_proxy& kept = next.allocate_child();
    spawn(ByReference(next.allocate_child(), ran));
    spawn(ByConstReference(next.allocate_child(), ran));
    spawn(Forwarded(next.allocate_child(), ran));
    spawn(Forwarded(allocate_additional_child_of(next), ran));
    spawn(ByValue(allocate_additional_child_of(next), ran));
    spawn(*new (kept) Leaf(ran));
    return &ByReference(kept, ran);
  }
  std::atomic<int>& ran;
};

struct ContinuesByHelper : CountedTask {
  explicit ContinuesByHelper(std::atomic<int>& runs) : ran(runs) {}
  tbb::task* execute() override { return &ByReference(allocate_continuation(), ran); }
  std::atomic<int>& ran;
};

TEST_P(OldProgramsTest, HelpersAreToldHowToMakeATask) {
  std::atomic<int> ran{0};
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) MakesByHelpers(ran));
  EXPECT_EQ(ran, 7);
  tbb::task_group_context context;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root(context)) ContinuesByHelper(ran));
  tbb::task::spawn_root_and_wait(Forwarded(tbb::task::allocate_root(), ran));
  tbb::task::spawn_root_and_wait(ByConstReference(tbb::task::allocate_root(context), ran));
  EXPECT_EQ(ran, 10);
}

TEST_P(OldProgramsTest, AStructuredGroupRunsFunctionsThatStayTheCallers) {
  std::atomic<int> ran{0};
  const auto f = [&ran] { ++ran; };
  auto first = tbb::make_task(f);
  auto second = tbb::make_task(f);
  tbb::structured_task_group group;
  group.run(first);
  EXPECT_EQ(group.run_and_wait(second), tbb::complete);
  EXPECT_EQ(ran, 2);
}

TEST_P(OldProgramsTest, ReadersUnlockAsWritersDo) {
  tbb::spin_rw_mutex mutex;
  mutex.lock_read();
  EXPECT_TRUE(mutex.try_lock_read());
  EXPECT_FALSE(mutex.try_lock());
  mutex.unlock();
  mutex.unlock();
  EXPECT_TRUE(mutex.try_lock());
  EXPECT_FALSE(mutex.try_lock_read());
  mutex.unlock();
  EXPECT_TRUE(mutex.try_lock_read());
  mutex.unlock();
  EXPECT_TRUE(mutex.try_lock());
  mutex.unlock();
}

template <typename Allocator>
void AllocateWithHint(Allocator allocator) {
  typename Allocator::pointer const first = allocator.allocate(10);
  typename Allocator::pointer const second = allocator.allocate(10, first);
  EXPECT_NE(first, second);
  allocator.deallocate(second, 10);
  allocator.deallocate(first, 10);
}

TEST_P(OldProgramsTest, AllocatorsTakeAHint) {
  AllocateWithHint(tbb::tbb_allocator<int>());
  AllocateWithHint(tbb::cache_aligned_allocator<int>());
  AllocateWithHint(tbb::scalable_allocator<int>());
  AllocateWithHint(tbb::zero_allocator<int>());
}

template <typename Allocator>
void ExpectZeros(Allocator allocator) {
  for (const std::size_t count : {1, 100}) {
    auto* const memory = allocator.allocate(count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(memory[i], 0);
      memory[i] = 7;
    }
    allocator.deallocate(memory, count);
  }
}

TEST_P(OldProgramsTest, AZeroAllocatorGivesZeros) {
  using Cached = tbb::zero_allocator<int, tbb::cache_aligned_allocator>;
  ExpectZeros(tbb::zero_allocator<char>());
  ExpectZeros(Cached());
  // Old containers rebind.
#ifndef CONFORMANCE_ON_TBB_2020  // has no such constructor
  ExpectZeros(Cached::rebind<long>::other(Cached()));
#endif
  ExpectZeros(tbb::zero_allocator<void>::rebind<short>::other());
  EXPECT_TRUE(Cached() == Cached());
  const std::vector<int, Cached> numbers(20, 3);
  EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0), 60);
}

TEST_P(OldProgramsTest, AlignedSpaceHoldsWhatIsMadeByHand) {
  struct alignas(64) Wide {
    int value;
  };
  tbb::aligned_space<Wide, 3> room;
  EXPECT_EQ(room.end() - room.begin(), 3);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(room.begin()) % 64, 0u);
  EXPECT_EQ((new (room.begin() + 2) Wide{7})->value, 7);
  EXPECT_EQ(sizeof(room), sizeof(Wide) * 3);
}

INSTANTIATE_TEST_SUITE_P(Limits, OldProgramsTest, kLimits);

}  // namespace
