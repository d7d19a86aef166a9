// How many ways there are to place N queens on an N x N board: a search tree
// whose every node is a task, without a cut-off.
//
//   queens [--size N]
#include <tbb/task_group.h>

#include <array>
#include <cstdint>
#include <string>

#include "tools/demo_programs/command_line.h"
#include "tools/demo_programs/json_object.h"
#include "tools/demo_programs/measure.h"
#include "tools/demo_programs/progress.h"

namespace demo {
namespace {

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

std::int64_t SerialQueens(const Board& board) {
  if (board.Full()) return 1;
  std::int64_t count = 0;
  for (std::uint32_t free = board.Free(); free != 0; free &= free - 1) {
    count += SerialQueens(board.With(free & -free));
  }
  return count;
}

std::int64_t ParallelQueens(const Board& board) {
  if (board.Full()) return 1;
  std::array<std::int64_t, kLargestBoard> counts;
  std::size_t children = 0;
  tbb::task_group group;
  for (std::uint32_t free = board.Free(); free != 0; free &= free - 1) {
    const Board child = board.With(free & -free);
    std::int64_t* const count = &counts[children++];
    group.run([child, count] { *count = ParallelQueens(child); });
  }
  group.wait();
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < children; ++i) sum += counts[i];
  return sum;
}

int Main(int argc, char** argv) {
  RunOptions options;
  long size = 12;
  CommandLine line("queens", "[--size N]");
  line.AddRunOptions(&options);
  line.AddNumber("size", 1, kLargestBoard, &size);
  line.ParseOrExit(argc, argv);

  Progress progress("queens", options.progress);
  std::int64_t count = 0;
  const Measurement measurement = Measure(options, [&] {
    progress.Begin("searching", 0);
    const Board empty{(std::uint32_t{1} << size) - 1, 0, 0, 0};
    count = options.serial ? SerialQueens(empty) : ParallelQueens(empty);
    progress.End();
  });
  const std::string answer =
      std::to_string(count) + " ways to place " + std::to_string(size) + " queens";
  return WriteJson(Result("queens", options, measurement, answer), options.json) ? 0 : 1;
}

}  // namespace
}  // namespace demo

int main(int argc, char** argv) {
  return demo::RunProgram("queens", [=] { return demo::Main(argc, argv); });
}
