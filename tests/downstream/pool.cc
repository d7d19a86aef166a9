#include <cstdio>
#include <numeric>
#include <vector>

#include "filch/pool/parallel_for.h"

int main() {
  std::vector<long> squares(1000);
  filch::ParallelFor(0, 1000, [&](int i) { squares[static_cast<std::size_t>(i)] = long{i} * i; });
  const long sum = std::accumulate(squares.begin(), squares.end(), 0L);
  std::printf("%ld\n", sum);
  return sum == 332833500 ? 0 : 1;
}
