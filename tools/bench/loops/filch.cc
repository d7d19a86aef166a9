#include "filch/pool/parallel_for.h"
#include "tools/bench/loops/loops.h"

namespace bench {
namespace {

struct Loop {
  explicit Loop(int) {}
  template <typename Body>
  void For(std::size_t n, const Body& body) {
    filch::ParallelFor(std::size_t{0}, n, body);
  }
  template <typename Body>
  void SameParts(std::size_t n, const Body& body) {
    filch::ParallelForOptions options;
    options.schedule = filch::LoopSchedule::kStatic;
    filch::ParallelFor(std::size_t{0}, n, body, options);
  }
};

const EvenLoops<Loop> even;
const UnevenLoops<Loop> uneven;

}  // namespace
}  // namespace bench
