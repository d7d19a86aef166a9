#include "counting.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>

#include <cstddef>
#include <vector>

std::vector<int> CountParallel(const std::vector<int>& data) {
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      Range(0, data.size()), std::vector<int>(10),
      [&data](const Range& part, std::vector<int> counts) {
        for (std::size_t i = part.begin(); i != part.end(); ++i) {
          ++counts[static_cast<std::size_t>(data[i])];
        }
        return counts;
      },
      [](std::vector<int> a, const std::vector<int>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        return a;
      });
}
