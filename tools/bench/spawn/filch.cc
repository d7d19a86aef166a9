#include "filch/pool/task_group.h"
#include "tools/bench/spawn/spawn.h"

namespace bench {
namespace {

void Spawn(std::vector<unsigned char>& marks) {
  filch::TaskGroup group;
  for (unsigned char& mark : marks) group.Run([&mark] { mark = 1; });
  group.Wait();
}

const Registration spawn("spawn", [](Run& run) { TimeSpawn(run, Spawn); });

}  // namespace
}  // namespace bench
