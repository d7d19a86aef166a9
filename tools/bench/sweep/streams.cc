// parallel_for_each and parallel_pipeline.
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_pipeline.h>

#include <forward_list>
#include <memory>
#include <numeric>
#include <vector>

#include "tools/bench/sweep/row.h"

namespace sweep {
namespace {

template <typename Items>
void AddForEach(const char* kind) {
  AddGrid(kind, [](std::size_t n, std::uint32_t steps) {
    auto units = std::make_shared<Units>(n, steps);
    auto items = std::make_shared<Items>(n);
    std::iota(items->begin(), items->end(), std::size_t{0});
    return Call{[=] {
                  tbb::parallel_for_each(items->begin(), items->end(),
                                         [&](std::size_t i) { units->Run(i); });
                  return units->Answer();
                },
                {}};
  });
}

// The first item adds the next, like a walk through a tree.
void AddFeeder() {
  AddGrid("for_each_feeder", [](std::size_t n, std::uint32_t steps) {
    auto units = std::make_shared<Units>(n, steps);
    return Call{[=] {
                  const std::size_t first = 0;
                  tbb::parallel_for_each(&first, &first + 1,
                                         [&](std::size_t i, tbb::feeder<std::size_t>& feeder) {
                                           for (const std::size_t next : {2 * i + 1, 2 * i + 2}) {
                                             if (next < units->size()) feeder.add(next);
                                           }
                                           units->Run(i);
                                         });
                  return units->Answer();
                },
                {}};
  });
}

tbb::filter<void, std::size_t> Numbers(std::size_t n, std::size_t& next) {
  return tbb::make_filter<void, std::size_t>(tbb::filter_mode::serial_in_order,
                                             [n, &next](tbb::flow_control& control) {
                                               if (next == n) {
                                                 control.stop();
                                                 return std::size_t{0};
                                               }
                                               return next++;
                                             });
}

// Numbers, `make_middle`, which has the work, and a sum in order.
template <typename MakeMiddle>
void AddPipeline(const char* kind, MakeMiddle make_middle) {
  AddGrid(kind, [=](std::size_t n, std::uint32_t steps) {
    return Call{[=] {
                  std::size_t next = 0;
                  std::uint64_t sum = 0;
                  tbb::parallel_pipeline(
                      8, Numbers(n, next) & make_middle(steps) &
                             tbb::make_filter<std::uint64_t, void>(
                                 tbb::filter_mode::serial_in_order,
                                 [&](std::uint64_t value) { sum = sum * 31 + value; }));
                  return sum;
                },
                {}};
  });
}

tbb::filter<std::size_t, std::uint64_t> First(tbb::filter_mode mode, std::uint32_t steps) {
  return tbb::make_filter<std::size_t, std::uint64_t>(
      mode, [=](std::size_t i) { return bench::Work(steps) + i; });
}

const Rows rows([] {
  AddForEach<std::vector<std::size_t>>("for_each_vector");
  AddForEach<std::forward_list<std::size_t>>("for_each_list");
  AddFeeder();
  AddPipeline("pipeline",
              [](std::uint32_t steps) { return First(tbb::filter_mode::parallel, steps); });
  // Two serial filters share an item's work.
  AddPipeline("pipeline_serial", [](std::uint32_t steps) {
    return First(tbb::filter_mode::serial_out_of_order, steps / 2) &
           tbb::make_filter<std::uint64_t, std::uint64_t>(
               tbb::filter_mode::serial_in_order,
               [=](std::uint64_t value) { return value + bench::Work(steps / 2); });
  });
});

}  // namespace
}  // namespace sweep
