// The standard library's parallel algorithms, which libstdc++ builds on TBB, and parallel_sort.
#include <tbb/parallel_sort.h>

#include <algorithm>
#include <execution>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "tools/bench/sweep/row.h"

namespace sweep {
namespace {

using Values = std::vector<std::uint32_t>;

constexpr std::size_t kSizes[] = {10, 100, 1000, 10000, 100000};

Values RandomValues(std::size_t n) {
  Values values(n);
  std::mt19937 random(static_cast<std::uint32_t>(n));
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random());
  return values;
}

std::uint64_t Mixed(const Values& values) {
  return values.front() * 31u + values[values.size() / 2] * 17u + values.back();
}

// run(from, to) reads the one and may fill the other, which is as long.
template <typename Run>
void AddOver(const char* kind, Run run) {
  for (const std::size_t n : kSizes) {
    Add(kind, std::to_string(n), [=] {
      auto from = std::make_shared<const Values>(RandomValues(n));
      auto to = std::make_shared<Values>(n);
      return Call{[=] { return static_cast<std::uint64_t>(run(*from, *to)); }, {}};
    });
  }
}

// run(values) changes their order.  Of sequences with so many values in all each is met in turn: of
// few, and be it sixteen of 100 values, the processor learns where the branches go.
template <typename Run>
void AddChanging(const char* kind, Run run) {
  constexpr std::size_t kValuesMet = 1 << 17;
  for (const std::size_t n : kSizes) {
    Add(kind, std::to_string(n), [=] {
      const std::size_t count = kValuesMet / n;
      std::mt19937 random(static_cast<std::uint32_t>(n));
      auto values = std::make_shared<Values>(n);
      auto sequences = std::make_shared<std::vector<Values>>(count, RandomValues(n));
      for (Values& sequence : *sequences) std::shuffle(sequence.begin(), sequence.end(), random);
      auto turn = std::make_shared<std::size_t>(0);
      return Call{[=] { return static_cast<std::uint64_t>(run(*values)); },
                  [=] { *values = (*sequences)[++*turn % count]; }};
    });
  }
}

bool IsOdd(std::uint32_t value) { return value % 2 != 0; }

void AddReading() {
  const auto& par = std::execution::par;
  AddOver("std_for_each", [=](const Values& from, Values& to) {
    std::for_each(par, to.begin(), to.end(), [](std::uint32_t& value) { value = 5; });
    return Mixed(to) + from.size();
  });
  AddOver("std_transform", [=](const Values& from, Values& to) {
    std::transform(par, from.begin(), from.end(), to.begin(),
                   [](std::uint32_t value) { return value * 3 + 1; });
    return Mixed(to);
  });
  AddOver("std_reduce", [=](const Values& from, Values&) {
    return std::reduce(par, from.begin(), from.end(), std::uint64_t{0});
  });
  AddOver("std_transform_reduce", [=](const Values& from, Values&) {
    return std::transform_reduce(par, from.begin(), from.end(), std::uint64_t{0}, std::plus<>(),
                                 [](std::uint32_t value) { return std::uint64_t{value} / 3; });
  });
  AddOver("std_inclusive_scan", [=](const Values& from, Values& to) {
    std::inclusive_scan(par, from.begin(), from.end(), to.begin());
    return Mixed(to);
  });
  AddOver("std_exclusive_scan", [=](const Values& from, Values& to) {
    std::exclusive_scan(par, from.begin(), from.end(), to.begin(), 1u);
    return Mixed(to);
  });
  AddOver("std_find_last", [=](const Values& from, Values&) {
    return std::find(par, from.begin(), from.end(), from.back()) - from.begin();
  });
  AddOver("std_find_middle", [=](const Values& from, Values&) {
    return std::find(par, from.begin(), from.end(), from[from.size() / 2]) - from.begin();
  });
  AddOver("std_any_of_none", [=](const Values& from, Values&) {
    return std::any_of(par, from.begin(), from.end(), [](std::uint32_t v) { return v == 7; });
  });
  AddOver("std_count_if", [=](const Values& from, Values&) {
    return std::count_if(par, from.begin(), from.end(), IsOdd);
  });
  AddOver("std_copy_if", [=](const Values& from, Values& to) {
    return std::copy_if(par, from.begin(), from.end(), to.begin(), IsOdd) - to.begin();
  });
  AddOver("std_min_element", [=](const Values& from, Values&) {
    return std::min_element(par, from.begin(), from.end()) - from.begin();
  });
  AddOver("std_fill", [=](const Values& from, Values& to) {
    std::fill(par, to.begin(), to.end(), from.front());
    return Mixed(to);
  });
}

void AddOrdering() {
  const auto& par = std::execution::par;
  AddChanging("std_sort", [=](Values& values) {
    std::sort(par, values.begin(), values.end());
    return Mixed(values);
  });
  AddChanging("std_stable_sort", [=](Values& values) {
    std::stable_sort(par, values.begin(), values.end());
    return Mixed(values);
  });
  AddChanging("std_nth_element", [=](Values& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(par, values.begin(), middle, values.end());
    return *middle;
  });
  AddChanging("std_partition", [=](Values& values) {
    return std::partition(par, values.begin(), values.end(), IsOdd) - values.begin();
  });
  AddChanging("parallel_sort", [](Values& values) {
    tbb::parallel_sort(values.begin(), values.end());
    return Mixed(values);
  });
  for (const std::size_t n : kSizes) {
    Add("std_merge", std::to_string(n), [=] {
      auto one = std::make_shared<Values>(RandomValues(n));
      auto two = std::make_shared<Values>(RandomValues(n + 1));
      for (Values* const values : {one.get(), two.get()}) std::sort(values->begin(), values->end());
      auto both = std::make_shared<Values>(2 * n + 1);
      return Call{[=] {
                    std::merge(par, one->begin(), one->end(), two->begin(), two->end(),
                               both->begin());
                    return Mixed(*both);
                  },
                  {}};
    });
  }
}

const Rows rows([] {
  AddReading();
  AddOrdering();
});

}  // namespace
}  // namespace sweep
