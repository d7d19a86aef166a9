// What programs use of the standard library without including it, because the headers of
// TBB bring it along. Nothing but TBB is included here, not even GoogleTest.
#include "tests/conformance/standard_headers_test.h"

#include <tbb/tbb.h>

int main() {
  std::list<double> roots;
  for (const int n : {16, 9, 4}) roots.push_back(std::sqrt(n));
  std::queue<double> queue;
  for (const double root : roots) queue.push(root);
  std::mt19937 engine(1);
  const bool is_right = std::accumulate(roots.begin(), roots.end(), 0.0) == 9.0 &&
                        queue.front() == 4.0 && engine() != engine() && BehindARange() &&
                        BehindAnAllocator() && BehindALimit() && BehindALock();
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
