// task_group and parallel_invoke: many tasks of one group, trees, tasks in loops.
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <memory>
#include <utility>

#include "tools/bench/sweep/row.h"

namespace sweep {
namespace {

void RunGroup(tbb::task_group& group, Units& units) {
  for (std::size_t i = 0; i + 1 < units.size(); ++i) group.run([&units, i] { units.Run(i); });
  group.run_and_wait([&units] { units.Run(units.size() - 1); });
}

void RunDeferred(Units& units) {
  tbb::task_group group;
  for (std::size_t i = 0; i < units.size(); ++i) {
    group.run(group.defer([&units, i] { units.Run(i); }));
  }
  group.wait();
}

// Each task starts the next ones, as a walk through a list of lists.
void RunFrom(tbb::task_group& group, Units& units, std::size_t i) {
  for (const std::size_t next : {2 * i + 1, 2 * i + 2}) {
    if (next < units.size()) group.run([&group, &units, next] { RunFrom(group, units, next); });
  }
  units.Run(i);
}

void GroupTree(Units& units, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return units.Run(begin);
  const std::size_t middle = begin + (end - begin) / 2;
  tbb::task_group group;
  group.run([&, begin, middle] { GroupTree(units, begin, middle); });
  GroupTree(units, middle, end);
  group.wait();
}

void InvokeTree(Units& units, std::size_t begin, std::size_t end) {
  if (end - begin == 1) return units.Run(begin);
  const std::size_t middle = begin + (end - begin) / 2;
  tbb::parallel_invoke([&] { InvokeTree(units, begin, middle); },
                       [&] { InvokeTree(units, middle, end); });
}

template <std::size_t... I>
void InvokeEach(Units& units, std::index_sequence<I...>) {
  tbb::parallel_invoke([&units] { units.Run(I); }...);
}

template <std::size_t n>
void AddInvoke() {
  AddLengths(n, "invoke", [](std::size_t, std::uint32_t steps) {
    auto units = std::make_shared<Units>(n, steps);
    return Call{[=] {
                  InvokeEach(*units, std::make_index_sequence<n>());
                  return units->Answer();
                },
                {}};
  });
}

const Rows rows([] {
  AddUnits("group", [](Units& units) {
    tbb::task_group group;
    RunGroup(group, units);
  });
  AddUnits("group_deferred", RunDeferred);
  AddUnits("group_of_all", [](Units& units) {
    tbb::task_group group;
    group.run_and_wait([&] { RunFrom(group, units, 0); });
  });
  AddUnits("group_isolated", [](Units& units) {
    tbb::this_task_arena::isolate([&] {
      tbb::task_group group;
      RunGroup(group, units);
    });
  });
  AddUnits("groups_in_loop", [](Units& units) {
    tbb::parallel_for(std::size_t{0}, (units.size() + 1) / 2, [&](std::size_t pair) {
      tbb::task_group group;
      if (2 * pair + 1 < units.size()) group.run([&, pair] { units.Run(2 * pair + 1); });
      units.Run(2 * pair);
      group.wait();
    });
  });
  AddUnits("tree_group", [](Units& units) { GroupTree(units, 0, units.size()); });
  AddUnits("tree_invoke", [](Units& units) { InvokeTree(units, 0, units.size()); });
  AddUnits("tree_isolated", [](Units& units) {
    tbb::this_task_arena::isolate([&] { InvokeTree(units, 0, units.size()); });
  });
  AddInvoke<2>();
  AddInvoke<3>();
  AddInvoke<4>();
  AddInvoke<8>();
});

}  // namespace
}  // namespace sweep
