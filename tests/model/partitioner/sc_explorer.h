// ScExplorer: runs a scenario of a few threads under every sequentially
// consistent interleaving of their atomic operations.
//
// Use it beside Relacy, for larger sizes and complete answers; what weaker
// memory orders allow it does not see.  The production source takes ScAtomics
// as its atomics.  One thread only: the scenario's threads are fibers that
// switch before each atomic operation.
//
//   struct Scenario {
//     Range<ScAtomics> range;                       // made anew for each execution
//     static constexpr int kThreads = 2;
//     void Thread(int index);
//     void Check();                                 // after all threads
//   };
//   ScExplorer::Explore([] { return std::make_unique<Scenario>(); });
#ifndef FILCH_TESTS_MODEL_PARTITIONER_SC_EXPLORER_H_
#define FILCH_TESTS_MODEL_PARTITIONER_SC_EXPLORER_H_

#include <ucontext.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace filch {
namespace model {

class ScExplorer {
 public:
  // Runs the scenarios that `make` makes until no interleaving is left or
  // `go_on` says no; returns how many ran.
  template <typename Make>
  static std::uint64_t Explore(Make make, const std::function<bool()>& go_on = nullptr) {
    ScExplorer explorer;
    std::uint64_t executions = 0;
    do {
      auto scenario = make();
      explorer.RunOnce(scenario->kThreads, [&scenario](int i) { scenario->Thread(i); });
      scenario->Check();
      ++executions;
    } while ((!go_on || go_on()) && explorer.NextSchedule());
    return executions;
  }

  // Called before each atomic operation: another thread may go first.
  static void Switch() {
    ScExplorer* const self = current_;
    if (self == nullptr || self->running_ < 0) return;
    Fiber& fiber = self->fibers_[static_cast<std::size_t>(self->running_)];
    swapcontext(&fiber.context, &self->scheduler_);
  }

 private:
  struct Fiber {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(64 * 1024);
    bool done = false;
  };
  struct Choice {
    std::size_t taken;
    std::size_t options;
  };

  static void Main() {
    ScExplorer* const self = current_;
    const int index = self->running_;
    self->thread_(index);
    self->fibers_[static_cast<std::size_t>(index)].done = true;
  }

  void Resume(std::size_t index) {
    running_ = static_cast<int>(index);
    swapcontext(&scheduler_, &fibers_[index].context);
    running_ = -1;
  }

  void RunOnce(int threads, std::function<void(int)> thread) {
    current_ = this;
    thread_ = std::move(thread);
    fibers_.resize(static_cast<std::size_t>(threads));
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      Fiber& fiber = fibers_[i];
      fiber.done = false;
      getcontext(&fiber.context);
      fiber.context.uc_stack.ss_sp = fiber.stack.data();
      fiber.context.uc_stack.ss_size = fiber.stack.size();
      fiber.context.uc_link = &scheduler_;
      makecontext(&fiber.context, &ScExplorer::Main, 0);
      Resume(i);  // To its first atomic operation; what is before is nobody's business.
    }
    for (std::size_t depth = 0;;) {
      std::vector<std::size_t> runnable;
      for (std::size_t i = 0; i < fibers_.size(); ++i) {
        if (!fibers_[i].done) runnable.push_back(i);
      }
      if (runnable.empty()) break;
      std::size_t taken = 0;
      if (runnable.size() > 1) {
        if (depth == choices_.size()) choices_.push_back({0, runnable.size()});
        taken = choices_[depth++].taken;
      }
      Resume(runnable[taken]);
    }
    current_ = nullptr;
  }

  // Moves to the next schedule in depth-first order; false after the last.
  bool NextSchedule() {
    while (!choices_.empty() && choices_.back().taken + 1 == choices_.back().options) {
      choices_.pop_back();
    }
    if (choices_.empty()) return false;
    ++choices_.back().taken;
    return true;
  }

  static inline ScExplorer* current_ = nullptr;

  ucontext_t scheduler_;
  std::vector<Fiber> fibers_;
  std::vector<Choice> choices_;
  std::function<void(int)> thread_;
  int running_ = -1;
};

// The part of std::atomic's interface that production code uses.
template <typename T>
class ScAtomic {
 public:
  ScAtomic() = default;
  explicit ScAtomic(T value) : value_(value) {}

  T load(std::memory_order) const {
    ScExplorer::Switch();
    return value_;
  }
  void store(T value, std::memory_order) {
    ScExplorer::Switch();
    value_ = value;
  }
  T exchange(T value, std::memory_order) {
    ScExplorer::Switch();
    return std::exchange(value_, value);
  }
  T fetch_add(T value, std::memory_order) {
    ScExplorer::Switch();
    return std::exchange(value_, static_cast<T>(value_ + value));
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order, std::memory_order) {
    ScExplorer::Switch();
    if (value_ == expected) {
      value_ = desired;
      return true;
    }
    expected = value_;
    return false;
  }
  // A spurious failure only repeats the loop around it.
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure) {
    return compare_exchange_strong(expected, desired, success, failure);
  }

 private:
  T value_{};
};

struct ScAtomics {
  template <typename T>
  using Atomic = ScAtomic<T>;
  template <typename T>
  using Plain = T;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_PARTITIONER_SC_EXPLORER_H_
