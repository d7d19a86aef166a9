// A program that hides its own symbols: what it and the library share is shared even so.
//
//   cancel: runs loops of a kind until it is known to be short, and one that is cancelled.
#include <tbb/parallel_for.h>
#include <tbb/task_group.h>

#include <cstdio>

namespace {

constexpr int kLoops = 1000;
constexpr int kUnits = 1000;

int Run(tbb::task_group_context& context) {
  int runs[kUnits] = {};
  tbb::parallel_for(
      0, kUnits, [&runs](int i) { ++runs[i]; }, context);
  int sum = 0;
  for (const int count : runs) sum += count;
  return sum;
}

}  // namespace

int main() {
  for (int i = 0; i < kLoops; ++i) {
    tbb::task_group_context context;
    const int ran = Run(context);
    if (ran != kUnits) return std::printf("cancel: %d units of %d\n", ran, kUnits), 1;
  }
  tbb::task_group_context cancelled;
  cancelled.cancel_group_execution();
  std::printf("cancel: %d units of a loop that is cancelled\n", Run(cancelled));
}
