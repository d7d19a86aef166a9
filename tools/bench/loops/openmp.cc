#include <omp.h>

#include "tools/bench/loops/loops.h"

namespace bench {
namespace {

// The schedule of what its users would choose: static for even work, dynamic in
// pieces of a few microseconds for the rest.
class Loop {
 public:
  explicit Loop(int) {}
  template <typename Body>
  void For(std::size_t n, const Body& body) {
    SameParts(n, body);
  }
  template <typename Body>
  void SameParts(std::size_t n, const Body& body) {
#pragma omp parallel
    {
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const auto number = static_cast<std::size_t>(omp_get_thread_num());
      body(n * number / threads, n * (number + 1) / threads);
    }
  }
};

class DynamicLoop : public Loop {
 public:
  using Loop::Loop;
  template <typename Body>
  void For(std::size_t n, const Body& body) {
    const std::size_t piece = n / 1000 + 1;
#pragma omp parallel for schedule(dynamic)
    for (std::size_t begin = 0; begin < n; begin += piece) {
      body(begin, begin + piece < n ? begin + piece : n);
    }
  }
};

const EvenLoops<Loop> even;
const UnevenLoops<DynamicLoop> uneven;

}  // namespace
}  // namespace bench
