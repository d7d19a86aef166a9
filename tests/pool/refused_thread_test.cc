// The system has no thread for a worker when it is called, and has one later.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <thread>

#include "filch/pool/enqueue.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"

namespace {

// So many more are refused.
std::atomic<int> refusals{0};

}  // namespace

using StartRoutine = void* (*)(void*);
using CreateThread = int (*)(pthread_t*, const pthread_attr_t*, StartRoutine, void*);

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              StartRoutine start, void* argument) noexcept {
  static const auto create = reinterpret_cast<CreateThread>(dlsym(RTLD_NEXT, "pthread_create"));
  if (refusals > 0) {
    --refusals;
    return EAGAIN;
  }
  return create(thread, attributes, start, argument);
}

namespace filch {
namespace {

TEST(RefusedThreadTest, WhatIsEnqueuedRunsWhenThereIsOneAgain) {
  PoolOptions options;
  options.concurrency = 4;
  Pool pool(options);
  std::atomic<bool> ran{false};
  refusals = 1;
  Enqueue(pool.AcquireArena({4, 1, Priority::kNormal}), [&ran] { ran = true; });
  EXPECT_EQ(refusals, 0);
  // Nobody else calls.
  while (!ran) std::this_thread::yield();
}

}  // namespace
}  // namespace filch
