// DeepInStack: calls a function where more than half of the thread's stack is in use.
#ifndef FILCH_TESTS_CONFORMANCE_DEEP_IN_STACK_H_
#define FILCH_TESTS_CONFORMANCE_DEEP_IN_STACK_H_

#include <cstddef>

// Of a stack of eight megabytes.
template <typename F>
__attribute__((noinline)) void DeepInStack(const F& f, std::size_t bytes = std::size_t{5} << 20) {
  volatile char frame[std::size_t{1} << 16];
  frame[0] = 0;
  if (bytes > sizeof(frame)) {
    DeepInStack(f, bytes - sizeof(frame));
  } else {
    f();
  }
  frame[1] = 0;  // the call above is not the last
}

#endif  // FILCH_TESTS_CONFORMANCE_DEEP_IN_STACK_H_
