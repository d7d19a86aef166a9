#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include "tools/bench/loops/loops.h"

namespace bench {
namespace {

class Loop {
 public:
  explicit Loop(int) {}
  template <typename Body>
  void For(std::size_t n, const Body& body) {
    tbb::parallel_for(Range(0, n), [&](const Range& part) { body(part.begin(), part.end()); });
  }
  template <typename Body>
  void SameParts(std::size_t n, const Body& body) {
    tbb::parallel_for(
        Range(0, n), [&](const Range& part) { body(part.begin(), part.end()); }, affinity_);
  }

 private:
  using Range = tbb::blocked_range<std::size_t>;
  tbb::affinity_partitioner affinity_;
};

const EvenLoops<Loop> even;
const UnevenLoops<Loop> uneven;

}  // namespace
}  // namespace bench
