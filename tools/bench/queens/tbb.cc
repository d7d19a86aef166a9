#include <tbb/parallel_invoke.h>
#include <tbb/task_group.h>

#include <array>

#include "tools/bench/queens/queens.h"

namespace bench {
namespace {

std::int64_t JoinQueens(const Board& board);

// The children of `board` on the squares `free`: the first of them, and at the
// same time the others.
std::int64_t JoinChildren(const Board& board, std::uint32_t free) {
  const std::uint32_t others = free & (free - 1);
  if (others == 0) return JoinQueens(board.With(free));
  std::int64_t first = 0;
  std::int64_t rest = 0;
  tbb::parallel_invoke([&] { first = JoinQueens(board.With(free & -free)); },
                       [&] { rest = JoinChildren(board, others); });
  return first + rest;
}

std::int64_t JoinQueens(const Board& board) {
  if (board.Full()) return 1;
  const std::uint32_t free = board.Free();
  return free == 0 ? 0 : JoinChildren(board, free);
}

std::int64_t GroupQueens(const Board& board) {
  if (board.Full()) return 1;
  std::array<std::int64_t, kLargestBoard> counts;
  std::size_t children = 0;
  tbb::task_group group;
  for (std::uint32_t free = board.Free(); free != 0; free &= free - 1) {
    const Board child = board.With(free & -free);
    std::int64_t* const count = &counts[children++];
    group.run([child, count] { *count = GroupQueens(child); });
  }
  group.wait();
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < children; ++i) sum += counts[i];
  return sum;
}

const Registration queens_join("queens_join", [](Run& run) { TimeQueens(run, JoinQueens); });
const Registration queens_group("queens_group", [](Run& run) { TimeQueens(run, GroupQueens); });

}  // namespace
}  // namespace bench
