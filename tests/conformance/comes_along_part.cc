#include "tests/conformance/comes_along_part.h"

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <type_traits>
#include <vector>

int CountWithThreadSpecifics(int n) {
  std::vector<int, tbb::tbb_allocator<int>> ones(static_cast<std::size_t>(n), 1);
  tbb::enumerable_thread_specific<int> sums(0);
  const tbb::blocked_range<int> all(0, n);
  for (int i = all.begin(); i != all.end(); ++i) {
    sums.local() += ones[static_cast<std::size_t>(i)];
  }
  // Declared, whether it is a class or a namespace.
  static_assert(std::is_pointer_v<decltype(tbb::task::current_context())>);
  int total = 0;
  for (const int sum : sums) total += sum;
  return total;
}
