// What the program of a runtime says about it.  Each program has one definition.
#ifndef FILCH_TOOLS_BENCH_HARNESS_RUNTIME_H_
#define FILCH_TOOLS_BENCH_HARNESS_RUNTIME_H_

#include <functional>
#include <string>

namespace bench {

// As it stands in file names.
const char* RuntimeName();
// Which release this is, or an empty text.
std::string RuntimeVersion();
// Calls `body` on this thread, with `threads` threads to work for it.
void CallWithThreads(int threads, const std::function<void()>& body);

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_HARNESS_RUNTIME_H_
