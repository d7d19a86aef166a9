// The first thread that uses the library is bound to one cpu, for some purpose of its own.  The
// only test of its process.
#include <sched.h>
#include <sys/wait.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "gtest/gtest.h"

namespace {

// This is about what the process may use, and not about what somebody wishes for.
const int without_wish = unsetenv("FILCH_NUM_THREADS");

cpu_set_t Binding() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  EXPECT_EQ(sched_getaffinity(0, sizeof(cpus), &cpus), 0);
  return cpus;
}

bool BindToThisCpu() {
  cpu_set_t here;
  CPU_ZERO(&here);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &here);
  return sched_setaffinity(0, sizeof(here), &here) == 0;
}

// What the first thread sees that is not bound, in a process of its own.
int SeenByUnbound() {
  const pid_t child = fork();
  if (child == 0) _exit(tbb::info::default_concurrency());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

TEST(BoundFirstUserTest, OthersHaveAllThatTheProcessHas) {
  ASSERT_EQ(without_wish, 0);
  const int seen_by_unbound = SeenByUnbound();
  int seen_by_bound = 0;
  std::thread([&seen_by_bound] {
    ASSERT_TRUE(BindToThisCpu());
    seen_by_bound = tbb::info::default_concurrency();
    EXPECT_EQ(tbb::this_task_arena::max_concurrency(), seen_by_bound);
    tbb::parallel_for(0, 100, [](int) {});
    const cpu_set_t after = Binding();
    EXPECT_EQ(CPU_COUNT(&after), 1);
  }).join();
  EXPECT_EQ(tbb::info::default_concurrency(), seen_by_bound);
  EXPECT_EQ(seen_by_bound % 256, seen_by_unbound);  // which went through an exit status
}

}  // namespace
