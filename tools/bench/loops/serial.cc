#include "tools/bench/loops/loops.h"

namespace bench {
namespace {

struct Loop {
  explicit Loop(int) {}
  template <typename Body>
  void For(std::size_t n, const Body& body) {
    body(0, n);
  }
  template <typename Body>
  void SameParts(std::size_t n, const Body& body) {
    body(0, n);
  }
};

const EvenLoops<Loop> even;
const UnevenLoops<Loop> uneven;

}  // namespace
}  // namespace bench
