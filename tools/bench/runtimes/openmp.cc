// Compiled once for libgomp and once for libomp.
#include <omp.h>

#include "tools/bench/harness/runtime.h"

namespace bench {

#ifdef __clang__
const char* RuntimeName() { return "libomp"; }
std::string RuntimeVersion() { return std::to_string(__clang_major__); }
#else
const char* RuntimeName() { return "libgomp"; }
std::string RuntimeVersion() { return std::to_string(__GNUC__); }
#endif

void CallWithThreads(int threads, const std::function<void()>& body) {
  omp_set_num_threads(threads);
  body();
}

}  // namespace bench
