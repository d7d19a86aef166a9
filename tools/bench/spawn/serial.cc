#include "tools/bench/spawn/spawn.h"

namespace bench {
namespace {

void Spawn(std::vector<unsigned char>& marks) {
  for (unsigned char& mark : marks) mark = 1;
}

const Registration spawn("spawn", [](Run& run) { TimeSpawn(run, Spawn); });

}  // namespace
}  // namespace bench
