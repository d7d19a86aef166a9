#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

int main() {
  std::vector<int> numbers(50000);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<int>((i * 7919) % 50021);
  tbb::task_group group;
  group.run([&] { tbb::parallel_sort(numbers.begin(), numbers.end(), std::greater<int>()); });
  group.wait();
  const long sum = tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, numbers.size()), 0L,
      [&](const tbb::blocked_range<std::size_t>& part, long partial) {
        for (std::size_t i = part.begin(); i != part.end(); ++i) partial += numbers[i];
        return partial;
      },
      std::plus<long>());
  long serial = 0;
  for (const int number : numbers) serial += number;
  const bool right =
      sum == serial && std::is_sorted(numbers.begin(), numbers.end(), std::greater<int>());
  std::printf("%s: %ld\n", right ? "right" : "wrong", sum);
  return right ? 0 : 1;
}
