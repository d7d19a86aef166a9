#include "tools/bench/queens/queens.h"

namespace bench {
namespace {

std::int64_t Queens(const Board& board) {
  if (board.Full()) return 1;
  std::int64_t count = 0;
  for (std::uint32_t free = board.Free(); free != 0; free &= free - 1) {
    count += Queens(board.With(free & -free));
  }
  return count;
}

void RunQueens(Run& run) { TimeQueens(run, Queens); }

const Registration queens_join("queens_join", RunQueens);
const Registration queens_group("queens_group", RunQueens);

}  // namespace
}  // namespace bench
