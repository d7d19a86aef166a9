#include <array>

#include "tools/bench/queens/queens.h"

namespace bench {
namespace {

std::int64_t TaskQueens(Board board) {
  if (board.Full()) return 1;
  std::array<std::int64_t, kLargestBoard> counts;
  std::size_t children = 0;
  for (std::uint32_t free = board.Free(); free != 0; free &= free - 1) {
    const Board child = board.With(free & -free);
    std::int64_t* const count = &counts[children++];
#pragma omp task firstprivate(child, count)
    *count = TaskQueens(child);
  }
#pragma omp taskwait
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < children; ++i) sum += counts[i];
  return sum;
}

std::int64_t Queens(const Board& board) {
  std::int64_t count = 0;
#pragma omp parallel
#pragma omp single
  count = TaskQueens(board);
  return count;
}

void RunQueens(Run& run) { TimeQueens(run, Queens); }

const Registration queens_join("queens_join", RunQueens);
const Registration queens_group("queens_group", RunQueens);

}  // namespace
}  // namespace bench
