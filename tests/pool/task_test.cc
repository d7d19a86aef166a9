// Tasks that return others and succeed others, in a running pool: the exact
// order of rules 1 to 3 on one thread, and random graphs on many.
#include "filch/pool/task.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "filch/pool/context.h"
#include "filch/pool/pool.h"
#include "filch/pool/wait_group.h"
#include "gtest/gtest.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

// Tasks with names; running one writes its name down and then calls `work`,
// which may spawn, and says what to return.
class Story {
 public:
  class Step final : public Task {
   public:
    using Work = std::function<Task*(Story&)>;

    Step(Story& story, std::string name, Work work)
        : Task(&Step::Run, &story.group_.context()),
          story_(story),
          name_(std::move(name)),
          work_(std::move(work)) {}
    ~Step() = default;

   private:
    static Task* Run(Task& task, Execution& execution) noexcept {
      auto& self = static_cast<Step&>(task);
      self.story_.told_ += self.name_ + " ";
      Task* const next = self.work_ ? self.work_(self.story_) : nullptr;
      self.story_.group_.Done(execution);
      return next;
    }

    Story& story_;
    const std::string name_;
    const Work work_;
  };

  explicit Story(Context& context) : group_(context) {}

  // A step that counts for the wait; somebody has to see to it that it runs.
  Step& Make(const std::string& name, Step::Work work = nullptr) {
    group_.Add();
    return steps_.emplace_back(*this, name, std::move(work));
  }
  void Spawn(Task& task) { group_.Spawn(task); }
  void Spawn(const std::string& name) { Spawn(Make(name)); }

  std::string Tell() {
    group_.WaitForTasks();
    return told_;
  }

 private:
  std::string told_;
  std::deque<Step> steps_;
  WaitGroup group_;
};

// What is told by a thread without workers that spawns what `begin` makes.
std::string ToldAlone(const std::function<void(Story&)>& begin) {
  Pool pool(OfThreads(1));
  std::string told;
  pool.Execute([&] {
    Context context;
    Story story(context);
    begin(story);
    told = story.Tell();
  });
  return told;
}

TEST(TaskTest, TheNewestOfTheOwnDequeIsNext) {
  EXPECT_EQ(ToldAlone([](Story& story) {
              for (const char* const name : {"a", "b", "c"}) story.Spawn(name);
            }),
            "c b a ");
}

TEST(TaskTest, AReturnedTaskRunsBeforeWhatItsMakerHasSpawned) {
  EXPECT_EQ(ToldAlone([](Story& story) {
              story.Spawn("old");
              story.Spawn(story.Make("maker", [](Story& s) {
                s.Spawn("spawned");
                return &s.Make("returned");
              }));
            }),
            "maker returned spawned old ");
}

TEST(TaskTest, ASuccessorRunsBeforeTheOwnDeque) {
  EXPECT_EQ(ToldAlone([](Story& story) {
              Story::Step& last = story.Make("last");
              last.set_predecessors(2);
              story.Spawn("old");
              for (const char* const name : {"first", "second"}) {
                Story::Step& predecessor = story.Make(name, [](Story& s) {
                  s.Spawn("child");
                  return nullptr;
                });
                predecessor.set_successor(&last);
                story.Spawn(predecessor);
              }
            }),
            "second child first last child old ");
}

TEST(TaskTest, ReturnedThenSuccessorThenTheOwnDeque) {
  EXPECT_EQ(ToldAlone([](Story& story) {
              Story::Step& successor = story.Make("successor");
              successor.set_predecessors(1);
              story.Spawn("old");
              Story::Step& maker = story.Make("maker", [](Story& s) {
                s.Spawn("spawned");
                return &s.Make("returned", [](Story& t) {
                  t.Spawn("grandchild");
                  return nullptr;
                });
              });
              maker.set_successor(&successor);
              story.Spawn(maker);
            }),
            // The successor is the newest of the deque when "returned" starts.
            "maker returned grandchild successor spawned old ");
}

TEST(TaskTest, AChainOfReturnedTasksDoesNotDeepenTheStack) {
  constexpr int kLength = 200000;
  std::uintptr_t lowest = UINTPTR_MAX;
  std::uintptr_t highest = 0;
  int steps = 0;
  std::function<Task*(Story&)> step = [&](Story& story) -> Task* {
    const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
    lowest = std::min(lowest, here);
    highest = std::max(highest, here);
    return ++steps == kLength ? nullptr : &story.Make("", step);
  };
  ToldAlone([&](Story& story) { story.Spawn(story.Make("", step)); });
  EXPECT_EQ(steps, kLength);
  EXPECT_LT(highest - lowest, 4096u);  // the first one is called from elsewhere
}

// A forest whose edges lead from predecessors to their one successor; a node's
// value is computed from those of its predecessors.
class Forest {
 public:
  Forest(int size, unsigned seed, WaitGroup& group) {
    std::mt19937 random(seed);
    for (int i = 0; i < size; ++i) {
      nodes_.push_back(std::make_unique<Node>(static_cast<std::uint64_t>(i) + 1, group));
    }
    std::vector<std::int32_t> predecessors(nodes_.size(), 0);
    successor_.assign(nodes_.size(), -1);
    for (int i = 0; i + 1 < size; ++i) {
      if (random() % 50 == 0) continue;  // a root
      // Near ones make chains, far ones bushes.
      const int reach = random() % 2 == 0 ? 3 : size;
      const int farthest = std::min(size - 1, i + reach);
      const int to = i + 1 + static_cast<int>(random() % static_cast<unsigned>(farthest - i));
      successor_[static_cast<std::size_t>(i)] = to;
      ++predecessors[static_cast<std::size_t>(to)];
      nodes_[static_cast<std::size_t>(i)]->set_successor(
          nodes_[static_cast<std::size_t>(to)].get());
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      nodes_[i]->set_predecessors(predecessors[i]);
      if (predecessors[i] == 0) leaves_.push_back(nodes_[i].get());
    }
  }

  // Some leaves are spawned, others are returned by those, a few at a time.
  void Start(WaitGroup& group) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) group.Add();
    Node* waiting = nullptr;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
      leaves_[i]->returns = waiting;
      waiting = i % 4 == 3 ? nullptr : leaves_[i];
      if (waiting == nullptr || i + 1 == leaves_.size()) group.Spawn(*leaves_[i]);
    }
  }

  void ExpectTheSerialAnswer() const {
    std::vector<std::uint64_t> sums(nodes_.size(), 0);
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const std::uint64_t value = Value(i + 1, sums[i]);
      EXPECT_EQ(nodes_[i]->value, value) << i;
      EXPECT_EQ(nodes_[i]->runs, 1) << i;
      if (successor_[i] >= 0) sums[static_cast<std::size_t>(successor_[i])] += value;
    }
  }

 private:
  static std::uint64_t Value(std::uint64_t name, std::uint64_t sum) {
    return (sum ^ name) * 0x9E3779B97F4A7C15u;
  }

  struct Node final : Task {
    Node(std::uint64_t name_of_node, WaitGroup& group_of_node)
        : Task(&Node::Run, &group_of_node.context()), name(name_of_node), group(group_of_node) {}
    ~Node() = default;

    static Task* Run(Task& task, Execution& execution) noexcept {
      auto& self = static_cast<Node&>(task);
      // Plain: the predecessors' writes are ordered before this.
      self.value = Value(self.name, self.sum.load(std::memory_order_relaxed));
      ++self.runs;
      if (execution.successor != nullptr) {
        static_cast<Node*>(execution.successor)
            ->sum.fetch_add(self.value, std::memory_order_relaxed);
      }
      Task* const next = self.returns;
      self.group.Done(execution);
      return next;
    }

    const std::uint64_t name;
    WaitGroup& group;
    Task* returns = nullptr;
    std::atomic<std::uint64_t> sum{0};
    std::uint64_t value = 0;
    int runs = 0;
  };

  std::vector<std::unique_ptr<Node>> nodes_;
  std::vector<int> successor_;
  std::vector<Node*> leaves_;
};

TEST(TaskTest, RandomGraphsGiveTheSerialAnswer) {
  for (const int concurrency : {1, 2, 8}) {
    Pool pool(OfThreads(concurrency));
    for (unsigned seed = 1; seed <= 40; ++seed) {
      pool.Execute([&] {
        Context context;
        WaitGroup group(context);
        Forest forest(static_cast<int>(seed * 25), seed, group);
        forest.Start(group);
        group.WaitForTasks();
        forest.ExpectTheSerialAnswer();
      });
    }
  }
}

}  // namespace
}  // namespace filch
