// How many ways there are to place `size` queens on a board: a search tree whose
// every node is a task, without a cut-off.  The unit is a node.
#ifndef FILCH_TOOLS_BENCH_QUEENS_QUEENS_H_
#define FILCH_TOOLS_BENCH_QUEENS_QUEENS_H_

#include <cstdint>

#include "tools/bench/harness/run.h"

namespace bench {

constexpr long kLargestBoard = 20;

// The rows so far, as sets of squares that they attack in the next row.
struct Board {
  std::uint32_t all;      // the squares of a row
  std::uint32_t columns;  // taken
  std::uint32_t falling;  // diagonals
  std::uint32_t rising;

  std::uint32_t Free() const { return all & ~(columns | falling | rising); }
  bool Full() const { return columns == all; }
  Board With(std::uint32_t square) const {
    return {all, columns | square, (falling | square) << 1, (rising | square) >> 1};
  }
};

inline std::int64_t Nodes(const Board& board) {
  std::int64_t count = 1;
  for (std::uint32_t free = board.Free(); free != 0; free &= free - 1) {
    count += Nodes(board.With(free & -free));
  }
  return count;
}

template <typename Queens>
void TimeQueens(Run& run, Queens queens) {
  const Board empty{(std::uint32_t{1} << run.size()) - 1, 0, 0, 0};
  std::int64_t count = 0;
  run.Time(static_cast<double>(Nodes(empty)), [&] { count = queens(empty); });
  run.Answer(count);
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_QUEENS_QUEENS_H_
