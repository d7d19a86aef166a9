#include <tbb/task_group.h>

#include "tools/bench/spawn/spawn.h"

namespace bench {
namespace {

void Spawn(std::vector<unsigned char>& marks) {
  tbb::task_group group;
  for (unsigned char& mark : marks) group.run([&mark] { mark = 1; });
  group.wait();
}

const Registration spawn("spawn", [](Run& run) { TimeSpawn(run, Spawn); });

}  // namespace
}  // namespace bench
