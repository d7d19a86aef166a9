#include <cstdio>
#include <string>
#include <vector>

#include "filch/pool/join.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/task_group.h"

long Fib(int n) {
  if (n < 2) return n;
  long a = 0;
  long b = 0;
  filch::Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
  return a + b;
}

int main() {
  const std::vector<std::string> words = {"to", "steal", "small", "things", "casually"};
  std::vector<std::size_t> lengths(words.size());
  filch::ParallelFor(std::size_t{0}, words.size(),
                     [&](std::size_t i) { lengths[i] = words[i].size(); });

  long fib = 0;
  filch::TaskGroup group;
  group.Run([&] { fib = Fib(25); });
  group.Wait();

  std::size_t letters = 0;
  for (const std::size_t length : lengths) letters += length;
  std::printf("%zu letters, fib(25) = %ld\n", letters, fib);
}
