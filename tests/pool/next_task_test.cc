// The six rules with sources that are scripted: what is asked in which order,
// and what is left alone.
#include "filch/pool/next_task.h"

#include <string>

#include "filch/pool/task.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

class NamedTask final : public Task {
 public:
  NamedTask() : Task([](Task&, Execution&) noexcept -> Task* { return nullptr; }, nullptr) {}
};

// One task at most in each source; writes down what it is asked for.
class ScriptedSources {
 public:
  Choice Inherit(Task* task, Rule rule) { return {task, 77, rule}; }
  void PushOwn(Task& task) {
    asked += "push ";
    pushed = &task;
  }
  Choice PopOwn() { return Give("own ", own, Rule::kOwnDeque); }
  Choice TakeMail() { return Give("mail ", mail, Rule::kAffinity); }
  Choice TakeShared() { return Give("shared ", shared, Rule::kSharedQueue); }
  Choice Steal() { return Give("steal ", stolen, Rule::kSteal); }

  Task* own = nullptr;
  Task* mail = nullptr;
  Task* shared = nullptr;
  Task* stolen = nullptr;
  Task* pushed = nullptr;
  std::string asked;

 private:
  Choice Give(const char* name, Task* task, Rule rule) {
    asked += name;
    return task == nullptr ? Choice{} : Choice{task, 5, rule};
  }
};

TEST(NextTaskTest, TheFirstRuleThatAppliesChooses) {
  NamedTask tasks[6];
  for (unsigned present = 0; present < 64; ++present) {
    const auto task = [&](unsigned rule) {
      return (present >> (rule - 1) & 1) != 0 ? &tasks[rule - 1] : nullptr;
    };
    ScriptedSources sources;
    sources.own = task(3);
    sources.mail = task(4);
    sources.shared = task(5);
    sources.stolen = task(6);
    unsigned first = 1;
    while (first <= 6 && task(first) == nullptr) ++first;

    const Choice choice = NextTask(sources, task(1), task(2));
    if (first > 6) {
      EXPECT_FALSE(choice);
      EXPECT_EQ(choice.rule, Rule::kNone);
    } else {
      EXPECT_EQ(choice.task, task(first)) << present;
      EXPECT_EQ(static_cast<unsigned>(choice.rule), first) << present;
    }
    // Nobody is asked after the one that had a task, and rules 1 and 2 ask nobody.
    const std::string order[] = {"own ", "mail ", "shared ", "steal "};
    std::string expected = first == 1 && task(2) != nullptr ? "push " : "";
    for (unsigned rule = 3; rule <= 6 && first > 2; ++rule) {
      expected += order[rule - 3];
      if (rule == first) break;
    }
    EXPECT_EQ(sources.asked, expected) << present;
  }
}

TEST(NextTaskTest, AReturnedTaskSendsTheSuccessorToTheOwnDeque) {
  NamedTask returned;
  NamedTask successor;
  ScriptedSources sources;
  const Choice choice = NextTask(sources, &returned, &successor);
  EXPECT_EQ(choice.task, &returned);
  EXPECT_EQ(sources.pushed, &successor);
}

TEST(NextTaskTest, FollowersInheritTheIsolationAndOthersBringTheirs) {
  NamedTask task;
  ScriptedSources sources;
  sources.own = &task;
  EXPECT_EQ(NextTask(sources, &task, nullptr).isolation, 77u);
  EXPECT_EQ(NextTask(sources, nullptr, &task).isolation, 77u);
  EXPECT_EQ(NextTask(sources, nullptr, nullptr).isolation, 5u);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
