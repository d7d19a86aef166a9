#include "tools/bench/harness/runtime.h"

namespace bench {

const char* RuntimeName() { return "threads"; }
std::string RuntimeVersion() { return ""; }
void CallWithThreads(int, const std::function<void()>& body) { body(); }

}  // namespace bench
