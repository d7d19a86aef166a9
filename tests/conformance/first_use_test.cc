// The first use of the allocators by threads that come at once, one of which is in the
// loader: a program of its own, for there is one first use in a process.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <tbb/scalable_allocator.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/sleeps.h"

namespace {

constexpr int kThreads = 3;

struct User {
  std::atomic<long> thread_id{0};
  std::atomic<bool> is_done{false};
  void* memory = nullptr;
};
User users[kThreads];
std::atomic<bool> is_loading{false};
void* memory_of_library = nullptr;

void Use(User& user) {
  while (!is_loading) std::this_thread::yield();
  user.thread_id = syscall(SYS_gettid);
  user.memory = scalable_malloc(100);
  user.is_done = true;
}

}  // namespace

// With the loader's lock, which the others wait for: they come this far only without it.
extern "C" void WhileLoading() {
  is_loading = true;
  for (const User& user : users) {
    while (!user.is_done && !(user.thread_id != 0 && Sleeps(user.thread_id))) {
      std::this_thread::yield();
    }
  }
  memory_of_library = scalable_malloc(200);
}

namespace {

TEST(FirstUseTest, MayBeInAConstructorOfALibraryWhileOthersComeAtOnce) {
  std::vector<std::thread> threads;
  for (User& user : users) threads.emplace_back([&user] { Use(user); });
  void* const library = dlopen("tests/conformance/liballocating_plugin.so", RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  is_loading = true;  // also if there was nothing to load
  for (std::thread& thread : threads) thread.join();
  EXPECT_NE(memory_of_library, nullptr);
  // All of them have the same allocator.
  for (const User& user : users) {
    ASSERT_NE(user.memory, nullptr);
    EXPECT_GE(scalable_msize(user.memory), 100u);
    scalable_free(user.memory);
  }
  scalable_free(memory_of_library);
}

}  // namespace
