// Compiled once for the facade and once for oneTBB.
#include <tbb/global_control.h>
#include <tbb/version.h>

#include "tools/bench/harness/runtime.h"

namespace bench {

const char* RuntimeName() { return BENCH_TBB_NAME; }

std::string RuntimeVersion() {
  return std::to_string(TBB_VERSION_MAJOR) + "." + std::to_string(TBB_VERSION_MINOR);
}

void CallWithThreads(int threads, const std::function<void()>& body) {
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  body();
}

}  // namespace bench
