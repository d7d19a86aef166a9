#include "tools/bench/spawn/spawn.h"

namespace bench {
namespace {

void Spawn(std::vector<unsigned char>& marks) {
#pragma omp parallel
#pragma omp single
  for (unsigned char& mark : marks) {
    unsigned char* const address = &mark;
#pragma omp task firstprivate(address)
    *address = 1;
  }
}

const Registration spawn("spawn", [](Run& run) { TimeSpawn(run, Spawn); });

}  // namespace
}  // namespace bench
