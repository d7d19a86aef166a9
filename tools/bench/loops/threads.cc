#include "tools/bench/harness/spin_team.h"
#include "tools/bench/loops/loops.h"

namespace bench {
namespace {

class Loop {
 public:
  explicit Loop(int threads) : team_(threads) {}

  template <typename Body>
  void For(std::size_t n, const Body& body) {
    const auto threads = static_cast<std::size_t>(team_.size());
    team_.Run([&](int thread) {
      const auto number = static_cast<std::size_t>(thread);
      body(n * number / threads, n * (number + 1) / threads);
    });
  }
  template <typename Body>
  void SameParts(std::size_t n, const Body& body) {
    For(n, body);
  }

 private:
  SpinTeam team_;
};

const EvenLoops<Loop> even;

}  // namespace
}  // namespace bench
