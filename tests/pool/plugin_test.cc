// Libraries that use the scheduler come and go, and leave no thread behind that
// would run code that is gone.
#include <dirent.h>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <thread>

#include "gtest/gtest.h"

namespace {

using FibFunction = std::int64_t(int);

constexpr char kPlugin[] = "tests/pool/libplugin.so";

class Plugin {
 public:
  Plugin() : handle_(dlopen(kPlugin, RTLD_NOW | RTLD_LOCAL)) {
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~Plugin() { EXPECT_EQ(dlclose(handle_), 0); }
  Plugin(const Plugin&) = delete;
  Plugin& operator=(const Plugin&) = delete;

  std::int64_t Call(const char* name, int n) const {
    return reinterpret_cast<FibFunction*>(dlsym(handle_, name))(n);
  }

 private:
  void* const handle_;
};

bool IsLoaded() {
  void* const handle = dlopen(kPlugin, RTLD_NOW | RTLD_NOLOAD);
  if (handle != nullptr) dlclose(handle);
  return handle != nullptr;
}

int Threads() {
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir("/proc/self/task"), closedir);
  int count = 0;
  while (const dirent* const entry = readdir(tasks.get())) count += entry->d_name[0] != '.';
  return count;
}

TEST(PluginTest, ALibraryWithItsOwnPoolComesAndGoes) {
  // A sanitizer starts a thread of its own beside the first one.  And a thread that
  // was joined may be counted for a moment longer: here one too many does no harm.
  std::thread([] {}).join();
  const int before = Threads();
  for (int round = 0; round < 1000; ++round) {
    const Plugin plugin;
    ASSERT_EQ(plugin.Call("FibInOwnPool", 10), 55);
  }
  EXPECT_FALSE(IsLoaded());
  while (Threads() > before) std::this_thread::yield();
  // Nobody calls code that is gone.
  const pid_t child = fork();
  if (child == 0) _exit(0);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// Last: the library stays.
TEST(PluginTest, ALibraryWhoseDefaultPoolHasThreadsStays) {
  int before = 0;
  std::int64_t concurrency = 0;
  for (int round = 0; round < 1000; ++round) {
    {
      const Plugin plugin;
      ASSERT_EQ(plugin.Call("FibInDefaultPool", 10), 55);
      concurrency = plugin.Call("DefaultConcurrency", 0);
    }
    EXPECT_TRUE(IsLoaded());
    if (round == 0) before = Threads();
  }
  EXPECT_LE(Threads(), before + concurrency);
}

}  // namespace
