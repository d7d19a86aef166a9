// Merge sort whose merges are parallel too, after Cilk's example.  The unit is
// an element.
//
// Sort and merge are here; the runtime gives them its fork of two.
#ifndef FILCH_TOOLS_BENCH_CILKSORT_CILKSORT_H_
#define FILCH_TOOLS_BENCH_CILKSORT_CILKSORT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/bench/harness/run.h"

namespace bench {

constexpr std::ptrdiff_t kSortLeaf = 2048;

// Merges two sorted intervals into `to`.  Fork is a class with a static
// Two(f, g), which runs both and waits.
template <typename Fork>
void MergeSorted(const std::uint32_t* a, const std::uint32_t* a_end, const std::uint32_t* b,
                 const std::uint32_t* b_end, std::uint32_t* to) {
  if (a_end - a < b_end - b) {
    std::swap(a, b);
    std::swap(a_end, b_end);
  }
  if ((a_end - a) + (b_end - b) <= kSortLeaf) {
    std::merge(a, a_end, b, b_end, to);
    return;
  }
  const std::uint32_t* const a_middle = a + (a_end - a) / 2;
  const std::uint32_t* const b_middle = std::lower_bound(b, b_end, *a_middle);
  std::uint32_t* const to_middle = to + (a_middle - a) + (b_middle - b);
  Fork::Two([=] { MergeSorted<Fork>(a, a_middle, b, b_middle, to); },
            [=] { MergeSorted<Fork>(a_middle, a_end, b_middle, b_end, to_middle); });
}

// Sorts [data, data + size); the result is in `other` if `into_other`.
template <typename Fork>
void MergeSort(std::uint32_t* data, std::uint32_t* other, std::ptrdiff_t size, bool into_other) {
  if (size <= kSortLeaf) {
    std::sort(data, data + size);
    if (into_other) std::copy(data, data + size, other);
    return;
  }
  const std::ptrdiff_t half = size / 2;
  Fork::Two([=] { MergeSort<Fork>(data, other, half, !into_other); },
            [=] { MergeSort<Fork>(data + half, other + half, size - half, !into_other); });
  const std::uint32_t* const from = into_other ? data : other;
  MergeSorted<Fork>(from, from + half, from + half, from + size, into_other ? other : data);
}

// Unsorted numbers, the same ones for everybody.
inline std::vector<std::uint32_t> Shuffled(long size) {
  std::vector<std::uint32_t> numbers(static_cast<std::size_t>(size));
  std::uint64_t x = 1;
  for (std::uint32_t& number : numbers) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    number = static_cast<std::uint32_t>(x >> 33);
  }
  return numbers;
}

// `sort` is a function of a pointer and a size.
template <typename Sort>
void TimeSort(Run& run, Sort sort) {
  const std::vector<std::uint32_t> shuffled = Shuffled(run.size());
  std::vector<std::uint32_t> numbers;
  run.Time(
      static_cast<double>(run.size()), [&] { numbers = shuffled; },
      [&] { sort(numbers.data(), static_cast<std::ptrdiff_t>(numbers.size())); });
  std::uint64_t order = 0;
  for (const std::uint32_t number : numbers) order = order * 31 + number;
  run.Answer(static_cast<std::int64_t>(order));
}

template <typename Fork>
void TimeMergeSort(Run& run) {
  std::vector<std::uint32_t> other(static_cast<std::size_t>(run.size()));
  TimeSort(run, [&](std::uint32_t* data, std::ptrdiff_t size) {
    MergeSort<Fork>(data, other.data(), size, false);
  });
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_CILKSORT_CILKSORT_H_
