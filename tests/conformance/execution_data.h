// Sequences that parallel algorithms have gone wrong on, and random ones.
//
//   for (const std::vector<int>& data : execution_data::Sequences()) ...
#ifndef FILCH_TESTS_CONFORMANCE_EXECUTION_DATA_H_
#define FILCH_TESTS_CONFORMANCE_EXECUTION_DATA_H_

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <vector>

namespace execution_data {

// Below, at and above the sizes at which libstdc++ stops to divide (500 for a
// sort, 2000 for a merge).
inline const std::size_t kSizes[] = {0, 1, 2, 3, 499, 500, 501, 2000, 2001, 10'007};

inline std::vector<int> Random(std::size_t size, int bound, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> number(0, bound);
  std::vector<int> data(size);
  for (int& x : data) x = number(random);
  return data;
}

// Of one size: sorted, reversed, all equal, two values, organ pipe, a sawtooth,
// sorted with one element out of place, and random with many and few values.
inline std::vector<std::vector<int>> SequencesOf(std::size_t size) {
  const int n = static_cast<int>(size);
  std::vector<int> sorted(size);
  std::iota(sorted.begin(), sorted.end(), 0);
  std::vector<std::vector<int>> all;
  all.push_back(sorted);
  all.emplace_back(sorted.rbegin(), sorted.rend());
  all.emplace_back(size, 7);
  std::vector<int> shape(size);
  const auto add = [&](auto f) {
    std::transform(sorted.begin(), sorted.end(), shape.begin(), f);
    all.push_back(shape);
  };
  add([](int i) { return i % 2; });
  add([n](int i) { return std::min(i, n - i); });
  add([](int i) { return i % 97; });
  if (size > 1) {
    std::vector<int> displaced = sorted;
    std::rotate(displaced.begin(), displaced.end() - 1, displaced.end());
    all.push_back(displaced);
  }
  all.push_back(Random(size, 1 << 30, 1));
  all.push_back(Random(size, 5, 2));
  return all;
}

inline std::vector<std::vector<int>> Sequences() {
  std::vector<std::vector<int>> all;
  for (const std::size_t size : kSizes) {
    for (std::vector<int>& data : SequencesOf(size)) all.push_back(std::move(data));
  }
  return all;
}

}  // namespace execution_data

#endif  // FILCH_TESTS_CONFORMANCE_EXECUTION_DATA_H_
