// SpinTeam: threads by hand that never sleep, the limit of what a loop can reach.
//
// Nobody should ship this: an idle team burns every processor that it has.
// One thread: construction, Run.
// Memory ordering: what happened before Run is visible to every call, and what
// the calls did is visible after it.
//
// Example:
//   SpinTeam team(2);
//   team.Run([&](int thread) { Fill(Part(thread)); });
#ifndef FILCH_TOOLS_BENCH_HARNESS_SPIN_TEAM_H_
#define FILCH_TOOLS_BENCH_HARNESS_SPIN_TEAM_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "filch/topology/cpu_relax.h"

namespace bench {

class SpinTeam {
 public:
  // The calling thread and `threads` - 1 others.
  explicit SpinTeam(int threads) {
    for (int i = 1; i < threads; ++i) {
      others_.emplace_back([this, i] { Serve(i); });
    }
  }
  ~SpinTeam() {
    body_ = nullptr;
    round_.fetch_add(1, std::memory_order_release);
    for (std::thread& thread : others_) thread.join();
  }
  SpinTeam(const SpinTeam&) = delete;
  SpinTeam& operator=(const SpinTeam&) = delete;

  int size() const { return static_cast<int>(others_.size()) + 1; }

  // Calls body(i) on thread i for every i, and returns when all have.
  void Run(const std::function<void(int)>& body) {
    body_ = &body;
    done_.store(0, std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
    body(0);
    SpinWhile([this] { return done_.load(std::memory_order_acquire) != others_.size(); });
  }

 private:
  // Gives way now and then: another process may have the processor of the thread
  // that is waited for.
  template <typename Condition>
  static void SpinWhile(Condition condition) {
    for (int looks = 1; condition(); ++looks) {
      filch::CpuRelax();
      if (looks % 1000 == 0) std::this_thread::yield();
    }
  }

  void Serve(int number) {
    for (std::uint64_t seen = 0;;) {
      SpinWhile([&] { return round_.load(std::memory_order_acquire) == seen; });
      ++seen;
      if (body_ == nullptr) return;
      (*body_)(number);
      done_.fetch_add(1, std::memory_order_release);
    }
  }

  alignas(64) std::atomic<std::uint64_t> round_{0};
  const std::function<void(int)>* body_ = nullptr;
  alignas(64) std::atomic<std::size_t> done_{0};
  std::vector<std::thread> others_;
};

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_HARNESS_SPIN_TEAM_H_
