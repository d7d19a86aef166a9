// A process whose main thread ends before others does end: without a thread that the workers
// could be for, they end, too.  Each case is a process of its own, this program once more.
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "filch/pool/current_arena.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/meet.h"

namespace filch {
namespace {

// Set by the main thread as the last thing that it does.
std::atomic<bool> main_ends{false};

[[noreturn]] void EndMain() {
  main_ends = true;
  pthread_exit(nullptr);
}

void AwaitEndOfMain() {
  while (!main_ends) std::this_thread::yield();
  // The kernel says that the main thread has ended when it has.
  char first;
  while (readlink("/proc/self/exe", &first, 1) >= 0) std::this_thread::yield();
}

struct Case {
  const char* name;
  void (*run)();
  const char* output = "";
};
const Case kCases[] = {
    {"main_alone",
     [] {
       Meet(2);
       EndMain();
     }},
    {"main_first",
     [] {
       Meet(2);
       std::thread([] {
         AwaitEndOfMain();
         Meet(2);
       }).detach();
       EndMain();
     }},
    {"main_without_a_slot",
     [] {
       std::thread([] {
         AwaitEndOfMain();
         Meet(2);
       }).detach();
       EndMain();
     }},
    {"main_last",
     [] {
       std::thread([] { Meet(2); }).join();
       Meet(2);
       EndMain();
     }},
    {"work_is_left",
     [] {
       Enqueue(CurrentArena(), [] {
         AwaitEndOfMain();
         std::puts("done");
       });
       EndMain();
     },
     "done\n"},
    {"nobody_may_run_what_is_left",
     [] {
       Meet(2);
       DefaultPool().SetWorkerLimit(0);
       static TaskGroup group;
       group.Run([] { std::puts("not run"); });
       EndMain();
     }},
    {"parallel_work_is_left",
     [] {
       Meet(2);
       static std::atomic<int> left{8};
       for (int i = left; i > 0; --i) {
         Enqueue(CurrentArena(), [] {
           AwaitEndOfMain();
           std::atomic<int> sum{0};
           ParallelFor(0, 10000, [&sum](int) { ++sum; });
           if (--left == 0) std::puts("done");
         });
       }
       EndMain();
     },
     "done\n"},
    {"one_waits_for_another",
     [] {
       static std::atomic<bool> flag{false};
       Meet(2);
       Enqueue(CurrentArena(), [] {
         while (!flag) std::this_thread::yield();
         std::puts("done");
       });
       std::thread([] {
         AwaitEndOfMain();
         for (int i = 0; i < 1000; ++i) std::this_thread::yield();
         Enqueue(CurrentArena(), [] { flag = true; });
       }).detach();
       EndMain();
     },
     "done\n"},
};

class ProcessEndTest : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Cases, ProcessEndTest, testing::ValuesIn(kCases),
                         [](const auto& of_case) { return std::string(of_case.param.name); });

TEST_P(ProcessEndTest, EndsWithItsLastThread) {
  int output[2];
  ASSERT_EQ(pipe(output), 0);
  const pid_t child = fork();
  if (child == 0) {
    setenv("FILCH_NUM_THREADS", "4", 1);  // on one processor, too
    dup2(output[1], STDOUT_FILENO);
    close(output[0]);
    close(output[1]);
    execl("/proc/self/exe", "process_end_test", GetParam().name, nullptr);
    _exit(127);
  }
  close(output[1]);
  std::string text;
  char c;
  while (read(output[0], &c, 1) == 1) text += c;
  close(output[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(text, GetParam().output);
}

}  // namespace
}  // namespace filch

int main(int count, char** arguments) {
  for (const auto& one : filch::kCases) {
    if (count == 2 && std::strcmp(arguments[1], one.name) == 0) one.run();
  }
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
