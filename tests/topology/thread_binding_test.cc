#include "filch/topology/thread_binding.h"

#include <sched.h>

#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

// Runs `body` on a thread of its own, so that no binding outlives its test.
template <typename Body>
void OnOwnThread(Body body) {
  std::thread(body).join();
}

TEST(ThreadBindingTest, ReadsTheInheritedBinding) {
  const absl::StatusOr<CpuSet> here = ThisThreadBinding();
  ASSERT_TRUE(here.ok()) << here.status();
  EXPECT_FALSE(here->empty());
  OnOwnThread([&] { EXPECT_EQ(*ThisThreadBinding(), *here); });
}

TEST(ThreadBindingTest, BindsToEachAllowedCpuAndBackAgain) {
  OnOwnThread([] {
    const CpuSet all = *ThisThreadBinding();
    for (int cpu : all) {
      const absl::StatusOr<CpuSet> granted = BindThisThread({cpu});
      ASSERT_TRUE(granted.ok()) << granted.status();
      EXPECT_EQ(*granted, CpuSet({cpu}));
      EXPECT_EQ(*ThisThreadBinding(), CpuSet({cpu}));
      EXPECT_EQ(sched_getcpu(), cpu);
      ASSERT_TRUE(BindThisThread(all).ok());
    }
    EXPECT_EQ(*ThisThreadBinding(), all);
  });
}

TEST(ThreadBindingTest, TheMainThreadsIsTheSameForEveryThread) {
  const CpuSet all = *ThisThreadBinding();
  EXPECT_EQ(*MainThreadBinding(), all);
  EXPECT_TRUE(IsMainThread());
  OnOwnThread([&all] {
    EXPECT_FALSE(IsMainThread());
    ASSERT_TRUE(BindThisThread({all.First()}).ok());
    EXPECT_EQ(*MainThreadBinding(), all);
  });
}

TEST(ThreadBindingTest, TellsWhenLessIsGranted) {
  OnOwnThread([] {
    const int mine = ThisThreadBinding()->First();
    const absl::StatusOr<CpuSet> granted = BindThisThread({mine, CpuSet::kMaxCpu});
    ASSERT_TRUE(granted.ok()) << granted.status();
    EXPECT_EQ(*granted, CpuSet({mine}));
  });
}

TEST(ThreadBindingTest, RefusesCpusThatDoNotExistAndKeepsTheOldBinding) {
  OnOwnThread([] {
    const CpuSet before = *ThisThreadBinding();
    for (const CpuSet& wrong : {CpuSet(), CpuSet({CpuSet::kMaxCpu})}) {
      const absl::StatusOr<CpuSet> granted = BindThisThread(wrong);
      ASSERT_FALSE(granted.ok());
      EXPECT_EQ(granted.status().message().back(), '.');
    }
    EXPECT_EQ(*ThisThreadBinding(), before);
  });
}

TEST(ThreadBindingTest, BindsOnlyTheCallingThread) {
  const CpuSet before = *ThisThreadBinding();
  OnOwnThread([] { ASSERT_TRUE(BindThisThread({ThisThreadBinding()->Last()}).ok()); });
  EXPECT_EQ(*ThisThreadBinding(), before);
}

}  // namespace
}  // namespace filch
