// A function that is compiled for less than the rest of its file calls what is inlined
// elsewhere.
#define FILCH_NO_FORCED_INLINING
#include "filch/topology/forced_inline.h"

#include "filch/partitioner/stealing_range_partitioner.h"
#include "filch/pool/join.h"
#include "gtest/gtest.h"
#include "tbb/parallel_invoke.h"
#include "tbb/task_group.h"

namespace {

#ifdef __x86_64__
#define FOR_ANY_PROCESSOR __attribute__((target("no-avx")))
#else
#define FOR_ANY_PROCESSOR
#endif

FOR_ANY_PROCESSOR int Joined() {
  int a = 0;
  int b = 0;
  filch::Join([&a] { a = 1; }, [&b] { b = 2; });
  return a + b;
}

FOR_ANY_PROCESSOR int Invoked() {
  int a = 0;
  int b = 0;
  int c = 0;
  tbb::parallel_invoke([&a] { a = 1; }, [&b] { b = 2; }, [&c] { c = 4; });
  return a + b + c;
}

FOR_ANY_PROCESSOR int OfGroup() {
  int a = 0;
  tbb::task_group group;
  group.run([&a] { a = 1; });
  group.wait();
  return a;
}

FOR_ANY_PROCESSOR int SumOfPartitions() {
  int sum = 0;
  auto partitions = filch::StealingRangePartitioner(0, 10).GetPartitions(1);
  for (auto& partition : partitions) {
    for (const int i : partition) sum += i;
  }
  return sum;
}

TEST(ForcedInlineTest, CanBeTurnedOff) {
  EXPECT_EQ(Joined(), 3);
  EXPECT_EQ(Invoked(), 7);
  EXPECT_EQ(OfGroup(), 1);
  EXPECT_EQ(SumOfPartitions(), 45);
}

}  // namespace
