// One task starts `size` others, and waits for them.  The unit is one of them.
#ifndef FILCH_TOOLS_BENCH_SPAWN_SPAWN_H_
#define FILCH_TOOLS_BENCH_SPAWN_SPAWN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/bench/harness/run.h"

namespace bench {

// spawn(marks) sets every mark in a task of its own.
template <typename Spawn>
void TimeSpawn(Run& run, Spawn spawn) {
  std::vector<unsigned char> marks(static_cast<std::size_t>(run.size()));
  run.Time(
      static_cast<double>(run.size()), [&] { marks.assign(marks.size(), 0); },
      [&] { spawn(marks); });
  std::int64_t sum = 0;
  for (const unsigned char mark : marks) sum += mark;
  run.Answer(sum);
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_SPAWN_SPAWN_H_
