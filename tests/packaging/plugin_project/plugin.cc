// What a program without TBB loads while it runs, as Python loads modules.
#include <tbb/parallel_for.h>
#include <tbb/scalable_allocator.h>

#include <atomic>
#include <cstddef>
#include <thread>

// While it is being loaded, with what takes a while for a first use.
const bool has_allocated = [] {
  const auto allocate = [] {
    for (const std::size_t bytes : {10, 1 << 20}) scalable_free(scalable_malloc(bytes));
  };
  allocate();
  std::thread(allocate).join();
  return true;
}();

extern "C" int CountInParallel(int units) {
  std::atomic<int> sum{0};
  const auto count = [&sum, units] { tbb::parallel_for(0, units, [&sum](int) { ++sum; }); };
  // On a thread that is older than the library, and on one that ends.
  count();
  std::thread(count).join();
  return sum;
}
