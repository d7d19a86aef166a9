// Which rule chose each task, in a random program on several threads: every choice
// is of the first source that had something when it was asked, and every task comes
// from where it was put.
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "filch/pool/arena.h"
#include "filch/pool/arena_sources.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/dispatch.h"
#include "filch/pool/execute.h"
#include "filch/pool/next_task.h"
#include "filch/pool/pool.h"
#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr int kThreads = 4;

// The sources of a thread in a slot, which log what they are asked.
class LoggedSources {
 public:
  explicit LoggedSources(Slot& slot) : sources_(slot, {}) {}

  Slot& slot() { return sources_.slot(); }
  Choice Inherit(Task* task, Rule rule) {
    EXPECT_EQ(asked_, Rule::kNone);  // nobody was asked
    return sources_.Inherit(task, rule);
  }
  void PushOwn(Task& task) { sources_.PushOwn(task); }
  Choice PopOwn() { return Log(Rule::kNone, Rule::kOwnDeque, sources_.PopOwn()); }
  // A part of rule 3: what is not taken is still the first to be asked for.
  Choice PopSibling(const Task& successor) {
    EXPECT_EQ(asked_, Rule::kNone);
    const Choice sibling = sources_.PopSibling(successor);
    if (sibling) {
      EXPECT_EQ(sibling.rule, Rule::kOwnDeque);
      EXPECT_EQ(sibling.task->successor(), &successor);
    }
    return sibling;
  }
  Choice TakeMail() { return Log(Rule::kOwnDeque, Rule::kAffinity, sources_.TakeMail()); }
  Choice TakeShared() { return Log(Rule::kAffinity, Rule::kSharedQueue, sources_.TakeShared()); }
  Choice Steal() {
    const Choice choice = Log(Rule::kSharedQueue, Rule::kSteal, sources_.Steal());
    asked_ = Rule::kNone;
    return choice;
  }

 private:
  // `before` is the rule whose source must have been the last one without a task.
  Choice Log(Rule before, Rule asked, Choice choice) {
    EXPECT_EQ(asked_, before);
    asked_ = choice ? Rule::kNone : asked;
    if (choice) {
      EXPECT_EQ(choice.rule, asked);
    }
    return choice;
  }

  ArenaSources sources_;
  Rule asked_ = Rule::kNone;
};

// How a task is handed to the scheduler.
enum class Way { kReturned, kSuccessor, kSpawned, kPosted, kEnqueued };

bool Fits(Way way, Rule rule) {
  switch (way) {
    case Way::kReturned:
      return rule == Rule::kReturned;
    case Way::kSuccessor:
      return rule == Rule::kSuccessor;
    case Way::kSpawned:
      return rule == Rule::kOwnDeque || rule == Rule::kSteal;
    case Way::kPosted:
      // Or a worker had it that must not begin with it, and may now.
      return rule == Rule::kAffinity || rule == Rule::kSteal || rule == Rule::kOwnDeque;
    case Way::kEnqueued:
      return rule == Rule::kSharedQueue;
  }
  return false;
}

struct Program {
  Arena& arena;
  std::atomic<std::int64_t> left;
  std::atomic<std::int64_t> sum{0};
  std::atomic<int> misfits{0};
};

std::uint32_t Mix(std::uint32_t seed) {
  seed = (seed ^ (seed >> 16)) * 0x7FEB352Du;
  seed = (seed ^ (seed >> 15)) * 0x846CA68Bu;
  return seed ^ (seed >> 16);
}

// What a task has below it follows from its seed and depth alone.
struct Shape {
  int children;
  bool has_successor;  // the children, which have none of their own, have a successor
};
Shape ShapeOf(std::uint32_t seed, int depth) {
  if (depth == 0) return {0, false};
  return {static_cast<int>(1 + Mix(seed) % 3), Mix(seed + 1) % 4 == 0};
}
std::uint32_t ChildSeed(std::uint32_t seed, int child) {
  return Mix(seed + 7 * static_cast<std::uint32_t>(child) + 3);
}

// The serial oracle: how many tasks there are, and the sum of their seeds.
void Count(std::uint32_t seed, int depth, std::int64_t* tasks, std::int64_t* sum) {
  ++*tasks;
  *sum += seed;
  const Shape shape = ShapeOf(seed, depth);
  const int below = shape.has_successor ? 0 : depth - 1;
  for (int i = 0; i < shape.children; ++i) Count(ChildSeed(seed, i), below, tasks, sum);
  if (shape.children > 0 && shape.has_successor) Count(ChildSeed(seed, 9), 0, tasks, sum);
}

class Node final : public Task {
 public:
  Node(Program& program, std::uint32_t seed, int depth, Way way)
      : Task(&Node::RunAndDestroy, nullptr),
        program_(program),
        seed_(seed),
        depth_(depth),
        way_(way) {}

 private:
  ~Node() = default;

  static Task* RunAndDestroy(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<Node&>(task);
    if (!Fits(self.way_, execution.rule)) ++self.program_.misfits;
    self.program_.sum += self.seed_;
    Task* const next = self.MakeChildren(execution);
    Program& program = self.program_;
    delete &self;
    --program.left;
    return next;
  }

  // Hands them out in the ways that their seeds say; the one to return, if any.
  Task* MakeChildren(Execution& execution) {
    const Shape shape = ShapeOf(seed_, depth_);
    if (shape.children == 0) return nullptr;
    Node* successor = nullptr;
    if (shape.has_successor) {
      successor = new Node(program_, ChildSeed(seed_, 9), 0, Way::kSuccessor);
      successor->set_predecessors(shape.children);
    }
    Task* returned = nullptr;
    for (int i = 0; i < shape.children; ++i) {
      const std::uint32_t seed = ChildSeed(seed_, i);
      auto way = static_cast<Way>(Mix(seed + 5) % 5);
      if (way == Way::kSuccessor) way = Way::kSpawned;
      // A task that returned another one would push its successor, which is to come
      // by rule 2.
      const int depth = successor != nullptr ? 0 : depth_ - 1;
      if (way == Way::kReturned && (returned != nullptr || this->successor() != nullptr)) {
        way = Way::kSpawned;
      }
      auto* const child = new Node(program_, seed, depth, way);
      child->set_successor(successor);
      Hand(*child, way, execution, &returned);
    }
    return returned;
  }

  void Hand(Node& child, Way way, Execution& execution, Task** returned) {
    switch (way) {
      case Way::kReturned:
        *returned = &child;
        break;
      case Way::kPosted:
        program_.arena.Post(child, static_cast<int>(child.seed_ % kThreads), 0);
        break;
      case Way::kEnqueued:
        program_.arena.Enqueue(child);
        break;
      default:
        execution.slot.Spawn(child);
    }
  }

  Program& program_;
  const std::uint32_t seed_;
  const int depth_;
  const Way way_;
};

TEST(DispatchLogTest, EveryChoiceIsOfTheFirstSourceThatHadSomething) {
  PoolOptions options;
  options.concurrency = 1;  // beside the thread that enqueued tasks ask for
  Pool pool(options);
  Arena& arena = pool.AcquireArena({kThreads, kThreads, Priority::kNormal});
  for (std::uint32_t root = 1; root <= 20; ++root) {
    constexpr int kDepth = 9;
    std::int64_t tasks = 0;
    std::int64_t sum = 0;
    Count(root, kDepth, &tasks, &sum);
    Program program{arena, {tasks}};
    arena.Enqueue(*new Node(program, root, kDepth, Way::kEnqueued));
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        ExecuteIn(arena, [&] {
          const auto over = [&] { return program.left.load() == 0; };
          LoggedSources sources(CurrentSlot());
          while (!over()) {
            RunTasks(sources, NextTask(sources, nullptr, nullptr), over);
            std::this_thread::yield();
          }
        });
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(program.left.load(), 0);
    EXPECT_EQ(program.sum.load(), sum);
    EXPECT_EQ(program.misfits.load(), 0);
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
