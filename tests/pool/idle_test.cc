// Idle workers cost nothing: they sleep, and stay asleep.
#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>

#include "filch/pool/join.h"
#include "filch/pool/pool.h"
#include "gtest/gtest.h"
#include "tests/pool/meet.h"
#include "tests/pool/of_threads.h"

namespace filch {
namespace {

struct ThreadState {
  char state = '?';
  std::uint64_t nanoseconds_on_cpu = 0;
};

// Every thread of this process but the calling one, by its number.
std::map<std::string, ThreadState> OtherThreads() {
  std::map<std::string, ThreadState> threads;
  const std::string self = std::to_string(syscall(SYS_gettid));
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir("/proc/self/task"), closedir);
  while (const dirent* const entry = readdir(tasks.get())) {
    const std::string id = entry->d_name;
    if (id[0] == '.' || id == self) continue;
    ThreadState thread;
    std::string line;
    std::getline(std::ifstream("/proc/self/task/" + id + "/stat"), line);
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos || name_end + 2 >= line.size()) continue;
    thread.state = line[name_end + 2];
    std::ifstream("/proc/self/task/" + id + "/schedstat") >> thread.nanoseconds_on_cpu;
    threads[id] = thread;
  }
  return threads;
}

// The threads that come after it.
class LaterThreads {
 public:
  LaterThreads() {
    // ThreadSanitizer has a thread of its own, which comes with the first of the program's.
    std::thread([] {}).join();
    earlier_ = OtherThreads();
  }

  std::map<std::string, ThreadState> Now() const {
    std::map<std::string, ThreadState> later = OtherThreads();
    for (const auto& [id, thread] : earlier_) later.erase(id);
    return later;
  }

  void ExpectNoCpuWhileThisThreadIsBusy() const {
    // The workers go to sleep by themselves; if they did not, this would not end.
    while (!AllSleep()) std::this_thread::yield();
    const auto before = Now();
    ASSERT_FALSE(before.empty());
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
    while (std::chrono::steady_clock::now() < end) {
    }
    for (const auto& [id, thread] : Now()) {
      EXPECT_EQ(thread.nanoseconds_on_cpu, before.at(id).nanoseconds_on_cpu) << "thread " << id;
    }
  }

 private:
  bool AllSleep() const {
    for (const auto& [id, thread] : Now()) {
      if (thread.state != 'S') return false;
    }
    return true;
  }

  std::map<std::string, ThreadState> earlier_;
};

std::int64_t Fib(int n) {
  if (n < 2) return n;
  std::int64_t a = 0;
  std::int64_t b = 0;
  Join([&] { a = Fib(n - 1); }, [&] { b = Fib(n - 2); });
  return a + b;
}

TEST(IdleTest, WorkersSleepWhenTheWorkIsDone) {
  const LaterThreads workers;
  Pool pool(OfThreads(4));
  for (int round = 0; round < 3; ++round) {
    pool.Execute([] {
      Meet(4);
      Fib(20);
    });
    workers.ExpectNoCpuWhileThisThreadIsBusy();
  }
}

TEST(IdleTest, WorkersSleepWhileOneTaskIsBusy) {
  const LaterThreads workers;
  Pool pool(OfThreads(4));
  pool.Execute([&workers] {
    Meet(4);
    workers.ExpectNoCpuWhileThisThreadIsBusy();
  });
}

}  // namespace
}  // namespace filch
