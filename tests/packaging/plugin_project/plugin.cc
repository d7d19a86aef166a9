// What a program without TBB loads while it runs, as Python loads modules.
#include <tbb/parallel_for.h>

#include <atomic>
#include <thread>

extern "C" int CountInParallel(int units) {
  std::atomic<int> sum{0};
  const auto count = [&sum, units] { tbb::parallel_for(0, units, [&sum](int) { ++sum; }); };
  // On a thread that is older than the library, and on one that ends.
  count();
  std::thread(count).join();
  return sum;
}
