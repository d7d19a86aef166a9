// parallel_for in its forms.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/blocked_range3d.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <memory>
#include <stdexcept>

#include "tools/bench/sweep/row.h"

namespace sweep {
namespace {

using Range = tbb::blocked_range<std::size_t>;

// A loop with a partitioner, which lives as long as the row.
template <typename Partitioner>
void AddPartitioned(const char* kind) {
  AddGrid(kind, [](std::size_t n, std::uint32_t steps) {
    auto units = std::make_shared<Units>(n, steps);
    auto partitioner = std::make_shared<Partitioner>();
    return Call{[=] {
                  tbb::parallel_for(
                      Range(0, n),
                      [&](const Range& part) {
                        for (std::size_t i = part.begin(); i != part.end(); ++i) units->Run(i);
                      },
                      *partitioner);
                  return units->Answer();
                },
                {}};
  });
}

// A range of the program's own, which can only be halved.
class OwnRange {
 public:
  explicit OwnRange(std::size_t end) : begin_(0), end_(end) {}
  OwnRange(OwnRange& other, tbb::split)
      : begin_((other.begin_ + other.end_) / 2), end_(other.end_) {
    other.end_ = begin_;
  }
  bool empty() const { return begin_ == end_; }
  bool is_divisible() const { return end_ - begin_ > 1; }
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

 private:
  std::size_t begin_;
  std::size_t end_;
};

template <typename Part>
void RunPart(Units& units, const Part& part) {
  for (std::size_t i = part.begin(); i != part.end(); ++i) units.Run(i);
}

// The largest power of two that divides the number of units, and not above its root.
std::size_t Width(std::size_t n) {
  std::size_t width = 1;
  while (width * width * 4 <= n && n % (2 * width) == 0) width *= 2;
  return width;
}

void RunPlane(Units& units) {
  const std::size_t width = Width(units.size());
  const std::size_t height = units.size() / width;
  using Plane = tbb::blocked_range2d<std::size_t>;
  tbb::parallel_for(Plane(0, height, 0, width), [&, width](const Plane& part) {
    for (std::size_t y = part.rows().begin(); y != part.rows().end(); ++y) {
      for (std::size_t x = part.cols().begin(); x != part.cols().end(); ++x)
        units.Run(y * width + x);
    }
  });
}

void RunBox(Units& units) {
  const std::size_t width = Width(units.size());
  const std::size_t height = units.size() / width;
  using Box = tbb::blocked_range3d<std::size_t>;
  tbb::parallel_for(Box(0, height, 0, width, 0, 1), [&, width](const Box& part) {
    for (std::size_t z = part.pages().begin(); z != part.pages().end(); ++z) {
      for (std::size_t y = part.rows().begin(); y != part.rows().end(); ++y)
        units.Run(z * width + y);
    }
  });
}

void RunNested(Units& units) {
  const std::size_t width = Width(units.size());
  tbb::parallel_for(std::size_t{0}, units.size() / width, [&, width](std::size_t outer) {
    tbb::parallel_for(std::size_t{0}, width,
                      [&](std::size_t inner) { units.Run(outer * width + inner); });
  });
}

// All the work of the units that `is_long` says have it; as much as in an even loop.
template <typename IsLong>
void RunUneven(Units& units, std::size_t how_many_long, IsLong is_long) {
  const std::size_t n = units.size();
  const auto steps = static_cast<std::uint32_t>(units.steps() * n / how_many_long);
  tbb::parallel_for(std::size_t{0}, n,
                    [&](std::size_t i) { units.RunFor(i, is_long(i) ? steps : 0); });
}

std::size_t Eighth(std::size_t n) { return (n + 7) / 8; }

void RunAndCatch(Units& units) {
  try {
    tbb::parallel_for(std::size_t{0}, units.size(), [&](std::size_t i) {
      bench::Work(units.steps());
      if (i + 1 == units.size()) throw std::runtime_error("the last unit");
    });
  } catch (const std::runtime_error&) {
    return;
  }
  throw std::logic_error("an exception was lost");
}

const Rows rows([] {
  AddUnits("for", [](Units& units) {
    tbb::parallel_for(Range(0, units.size()), [&](const Range& part) { RunPart(units, part); });
  });
  AddUnits("for_index", [](Units& units) {
    tbb::parallel_for(std::size_t{0}, units.size(), [&](std::size_t i) { units.Run(i); });
  });
  AddUnits("for_grain_4", [](Units& units) {
    tbb::parallel_for(Range(0, units.size(), 4), [&](const Range& part) { RunPart(units, part); });
  });
  AddPartitioned<tbb::simple_partitioner>("for_simple");
  AddPartitioned<tbb::static_partitioner>("for_static");
  AddPartitioned<tbb::affinity_partitioner>("for_affinity");
  AddUnits("for_own_range", [](Units& units) {
    tbb::parallel_for(OwnRange(units.size()), [&](const OwnRange& part) { RunPart(units, part); });
  });
  AddUnits("for_2d", RunPlane);
  AddUnits("for_3d", RunBox);
  AddUnits("for_nested", RunNested);
  AddUnits("for_isolated", [](Units& units) {
    tbb::this_task_arena::isolate([&] {
      tbb::parallel_for(std::size_t{0}, units.size(), [&](std::size_t i) { units.Run(i); });
    });
  });
  AddUnits("for_first_heavy", [](Units& units) {
    const std::size_t some = Eighth(units.size());
    RunUneven(units, some, [=](std::size_t i) { return i < some; });
  });
  AddUnits("for_last_heavy", [](Units& units) {
    const std::size_t rest = units.size() - Eighth(units.size());
    RunUneven(units, units.size() - rest, [=](std::size_t i) { return i >= rest; });
  });
  AddUnits("for_scattered", [](Units& units) {
    RunUneven(units, Eighth(units.size()), [](std::size_t i) { return i % 8 == 0; });
  });
  AddUnits("for_throws", RunAndCatch);
});

}  // namespace
}  // namespace sweep
