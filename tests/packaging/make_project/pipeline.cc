#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_group.h>

#include <cstdio>

int main() {
  int next = 0;
  long sum = 0;
  const auto input = [&next](oneapi::tbb::flow_control& flow) {
    if (next == 1000) flow.stop();
    return next++;
  };
  tbb::parallel_pipeline(
      4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order, input) &
             tbb::make_filter<int, long>(tbb::filter_mode::parallel, [](int x) { return 2L * x; }) &
             tbb::make_filter<long, void>(tbb::filter_mode::serial_out_of_order,
                                          [&sum](long x) { sum += x; }));
  tbb::task_group group;
  group.run_and_wait([&sum] { ++sum; });
  std::puts(sum == 999'001 ? "pipeline: right" : "pipeline: WRONG");
  return sum == 999'001 ? 0 : 1;
}
