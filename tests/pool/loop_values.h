// Values that tests of loops with results accumulate.
#ifndef FILCH_TESTS_POOL_LOOP_VALUES_H_
#define FILCH_TESTS_POOL_LOOP_VALUES_H_

#include <atomic>
#include <cstdint>

namespace filch {

// A run of neighbouring indices; a sum of pieces is torn if they are not neighbours.
struct Piece {
  std::int64_t begin = -1;  // -1: nothing yet
  std::int64_t end = -1;
  bool torn = false;

  Piece And(const Piece& right) const {
    if (begin < 0) return right;
    if (right.begin < 0) return *this;
    return {begin, right.end, torn || right.torn || end != right.begin};
  }
};

// Counts how many of it there are.
struct Counted {
  explicit Counted(std::atomic<int>& alive) : count(&alive) { ++*count; }
  Counted(const Counted& other) : count(other.count) { ++*count; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --*count; }

  std::atomic<int>* count;
};

}  // namespace filch

#endif  // FILCH_TESTS_POOL_LOOP_VALUES_H_
