// Fail(): how filch stops when a caller broke a contract.
//
// A broken contract (popping from a thread that is not the owner, destroying a
// pool from one of its own workers) leaves no state worth continuing from.  So
// it ends the process in every build, debug or optimised, with a sentence that
// names the mistake.  It is not for resource failures, which are reported to
// the caller, nor for exceptions of user code, which travel to the wait.
//
//   if (n < 0) Fail("filch::Pool: the number of workers is negative.");
#ifndef FILCH_TOPOLOGY_CONTRACT_H_
#define FILCH_TOPOLOGY_CONTRACT_H_

#include <cstdio>
#include <cstdlib>

namespace filch {

// Prints `sentence` and a newline to the standard error stream, and aborts.
// Any thread.
[[noreturn]] inline void Fail(const char* sentence) noexcept {
  std::fputs(sentence, stderr);
  std::fputc('\n', stderr);
  std::fflush(stderr);
  std::abort();
}

}  // namespace filch

#endif  // FILCH_TOPOLOGY_CONTRACT_H_
