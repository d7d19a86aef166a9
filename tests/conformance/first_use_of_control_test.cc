// The first use of the scheduler by a thread that asks for a setting, while another one is in the
// loader, and uses the scheduler there: a program of its own, for there is one first use in a
// process.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <thread>

#include "gtest/gtest.h"
#include "tests/conformance/sleeps.h"

namespace {

std::atomic<bool> is_loading{false};
std::atomic<long> thread_id{0};
std::atomic<std::size_t> threads{0};
std::atomic<int> indices{0};

}  // namespace

// With the loader's lock, which the other thread may wait for: it comes that far without it.
extern "C" void WhileLoading() {
  is_loading = true;
  while (threads == 0 && !(thread_id != 0 && Sleeps(thread_id))) std::this_thread::yield();
  tbb::parallel_for(0, 100, [](int) { ++indices; });
}

namespace {

TEST(FirstUseOfControlTest, MayBeWhileAConstructorOfALibraryUsesTheScheduler) {
  std::thread other([] {
    while (!is_loading) std::this_thread::yield();
    thread_id = syscall(SYS_gettid);
    threads = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  });
  void* const library = dlopen("tests/conformance/liballocating_plugin.so", RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  is_loading = true;  // also if there was nothing to load
  other.join();
  EXPECT_EQ(indices, 100);
  EXPECT_GT(threads, 0u);
}

}  // namespace
