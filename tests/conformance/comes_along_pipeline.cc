#include <tbb/parallel_pipeline.h>

#include <vector>

#include "tests/conformance/comes_along_part.h"

int RunAfterPipeline() {
  int produced = 0;
  int consumed = 0;
  tbb::parallel_pipeline(2, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                                        [&](tbb::flow_control& control) {
                                                          if (produced == 2) control.stop();
                                                          return produced++;
                                                        }) &
                                tbb::make_filter<int, void>(tbb::filter_mode::serial_in_order,
                                                            [&](int) { ++consumed; }));
  tbb::task_group group;
  group.run([&] { ++consumed; });
  group.wait();
  const std::vector<int, tbb::tbb_allocator<int>> result(1, consumed);
  return result.front();
}
