#include <cstdlib>

#include "tools/bench/harness/runtime.h"

namespace bench {

const char* RuntimeName() { return "filch"; }
std::string RuntimeVersion() { return ""; }

void CallWithThreads(int threads, const std::function<void()>& body) {
  // What a user would set; the default pool reads it when it is made.
  setenv("FILCH_NUM_THREADS", std::to_string(threads).c_str(), 1);
  body();
}

}  // namespace bench
