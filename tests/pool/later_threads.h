// LaterThreads: what the system says of a pool's workers.
#ifndef FILCH_TESTS_POOL_LATER_THREADS_H_
#define FILCH_TESTS_POOL_LATER_THREADS_H_

#include <dirent.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>

namespace filch {

struct ThreadState {
  char state = '?';
  std::uint64_t nanoseconds_on_cpu = 0;
};

// Every thread of this process but the calling one, by its number.
inline std::map<std::string, ThreadState> OtherThreads() {
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

  void UntilAllSleep() const {
    const auto sleeps = [](const auto& entry) { return entry.second.state == 'S'; };
    for (;;) {
      const std::map<std::string, ThreadState> now = Now();
      if (std::all_of(now.begin(), now.end(), sleeps)) return;
      std::this_thread::yield();
    }
  }

 private:
  std::map<std::string, ThreadState> earlier_;
};

}  // namespace filch

#endif  // FILCH_TESTS_POOL_LATER_THREADS_H_
