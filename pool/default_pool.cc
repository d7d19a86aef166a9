#include "filch/pool/default_pool.h"

#include <cstdio>
#include <cstdlib>

#include "filch/pool/pool.h"

namespace filch {

namespace {

const char* stats_file = nullptr;

void WriteStats() {
  std::FILE* const file = std::fopen(stats_file, "w");
  if (file == nullptr) {
    std::fprintf(stderr, "filch: the statistics cannot be written to %s.\n", stats_file);
    return;
  }
  std::fprintf(file, "%s\n", DefaultPool().Stats().ToJson().c_str());
  std::fclose(file);
}

Pool* MakeDefaultPool() {
  stats_file = std::getenv("FILCH_STATS");
  if (stats_file != nullptr) std::atexit(&WriteStats);
  return new Pool;
}

}  // namespace

Pool& DefaultPool() {
  static Pool* const pool = MakeDefaultPool();
  return *pool;
}

}  // namespace filch
