// What old programs declare before their first TBB header.
namespace tbb {
class task;
class task_group;
class task_group_context;
class task_scheduler_init;
}  // namespace tbb

struct HoldsByPointer {
  tbb::task* task = nullptr;
  tbb::task_group* group = nullptr;
  tbb::task_group_context* context = nullptr;
  tbb::task_scheduler_init* init = nullptr;
};

#include "gtest/gtest.h"
#include "tests/conformance/scalable_in_c.h"

// What Qt and X11 leave defined for whoever is included after them.
#define slots
#define signals public
#define emit
#define Expose 12
#define Below 1
#define None 0L
#define Bool int
#define Status int

#include <tbb/memory_pool.h>
#include <tbb/tbb.h>
#include <tbb/tbb_config.h>
#include <tbb/tbb_exception.h>
#include <tbb/tbb_stddef.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>

namespace {

static_assert(TBB_VERSION_MAJOR == 2020 && TBB_VERSION_MINOR == 3);
static_assert(TBB_INTERFACE_VERSION == 11103 && TBB_INTERFACE_VERSION_MAJOR == 11);

TEST(ClassicNamesTest, ForwardDeclarationsMeanTheSameClasses) {
  static_assert(std::is_same_v<decltype(*HoldsByPointer().task), tbb::task&>);
  static_assert(std::is_same_v<decltype(*HoldsByPointer().group), tbb::task_group&>);
  HoldsByPointer holder;
  tbb::task_group_context context;
  holder.context = &context;
  tbb::parallel_for(
      0, 10, [](int) {}, *holder.context);
}

TEST(ClassicNamesTest, ClassesHaveTheNamespacesThatDefineThem) {
  static_assert(std::is_same_v<tbb::interface6::task_scheduler_observer,  //
                               tbb::task_scheduler_observer>);
  static_assert(std::is_same_v<tbb::interface6::enumerable_thread_specific<int>,
                               tbb::enumerable_thread_specific<int>>);
  static_assert(std::is_same_v<tbb::interface6::fixed_pool, tbb::fixed_pool>);
  static_assert(tbb::blocked_rangeNd<int, 3>::ndims() == 3);
  static_assert(std::is_same_v<tbb::interface7::task_arena, tbb::task_arena>);
  static_assert(std::is_same_v<tbb::interface9::global_control, tbb::global_control>);
  EXPECT_EQ(tbb::interface7::this_task_arena::isolate([] { return 7; }), 7);
}

#define NAME_OF(macro) #macro
#define EXPANSION_OF(macro) NAME_OF(macro)

TEST(ClassicNamesTest, MacrosOfOtherLibrariesAreAsTheyWere) {
  EXPECT_STREQ(EXPANSION_OF(slots), "");
  EXPECT_STREQ(EXPANSION_OF(signals), "public");
  EXPECT_STREQ(EXPANSION_OF(emit), "");
  EXPECT_STREQ(EXPANSION_OF(Expose), "12");
  EXPECT_STREQ(EXPANSION_OF(Below), "1");
}

TEST(ClassicNamesTest, ReportsItsVersion) {
  EXPECT_EQ(tbb::TBB_runtime_interface_version(), TBB_INTERFACE_VERSION);
}

TEST(ClassicNamesTest, HelpersAreWhereTheyWere) {
  struct Counter {
    tbb::internal::uint64_t count = 0;
  };
  tbb::internal::padded<Counter> counters[2];
  const auto distance =
      reinterpret_cast<char*>(&counters[1].count) - reinterpret_cast<char*>(&counters[0].count);
  EXPECT_EQ(distance, static_cast<std::ptrdiff_t>(tbb::internal::NFS_MaxLineSize));
  EXPECT_TRUE(tbb::internal::is_aligned(&counters[0].count, alignof(tbb::internal::uint64_t)));
  EXPECT_FALSE(tbb::internal::is_aligned(reinterpret_cast<char*>(&counters[0]) + 1, 2));
  EXPECT_TRUE(tbb::internal::is_power_of_two(64u));
  EXPECT_FALSE(tbb::internal::is_power_of_two(96u));
  EXPECT_FALSE(tbb::internal::is_power_of_two_at_least(64u, 128u));
  static_assert(tbb::internal::select_size_t_constant<1, 2>::value == sizeof(std::size_t) / 4);
  static_assert(std::is_signed_v<tbb::internal::reference_count>);
  EXPECT_EQ(tbb::internal::modulo_power_of_two(13u, 8u), 5u);
  EXPECT_EQ(tbb::internal::punned_cast<void*>(&counters[0]), &counters[0]);
  tbb::internal::suppress_unused_warning(distance, counters);
  __TBB_STATIC_ASSERT(tbb::blocked_range<int>::is_splittable_in_proportion, "as it was");
  __TBB_STATIC_ASSERT(tbb::blocked_range2d<int>::is_splittable_in_proportion, "as it was");
  __TBB_STATIC_ASSERT(tbb::blocked_range3d<int>::is_splittable_in_proportion, "as it was");
}

TEST(ClassicNamesTest, WarningsArePrintedAsTheyWere) {
  testing::internal::CaptureStderr();
  tbb::internal::runtime_warning("%s has %d legs", "A table", 3);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "TBB Warning: A table has 3 legs\n");
}

TEST(ClassicNamesTest, ErrorsOfTheSystemAreThrown) {
  try {
    tbb::internal::handle_perror(ENOENT, "opening");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "opening: No such file or directory");
  }
}

TEST(ClassicNamesTest, TheStrictNamespaceHasTheLoopOverIndices) {
  std::atomic<int> sum{0};
  tbb::strict_ppl::parallel_for(0, 10, [&](int i) { sum += i; });
  EXPECT_EQ(sum, 45);
}

// With what TBB 2020 calls its base.
class Watching : public tbb::internal::task_scheduler_observer_v3 {
 public:
  ~Watching() override { observe(false); }
  void on_scheduler_entry(bool) override { ++entries; }
  std::atomic<int> entries{0};
};

TEST(ClassicNamesTest, ObserversHaveTheirOldBase) {
  Watching watching;
  watching.observe();
  std::thread([] { tbb::parallel_for(0, 10, [](int) {}); }).join();
  EXPECT_GE(watching.entries, 1);
}

TEST(ClassicNamesTest, ProgramsHearOfFailedAssertions) {
  static int line_told = 0;
  const ::assertion_handler_type before = tbb::set_assertion_handler(
      [](const char*, int line, const char*, const char*) { line_told = line; });
  tbb::assertion_failure("file", 42, "false", "a comment");
  tbb::set_assertion_handler(before);
  EXPECT_EQ(line_told, 42);
}

TEST(ClassicNamesTest, TaskGroupsRunHandles) {
  std::atomic<int> ran{0};
  const auto f = [&ran] { ++ran; };
  auto first = tbb::make_task(f);
  tbb::task_handle<decltype(f)> second(f);
  auto third = tbb::make_task(f);
  tbb::task_group group;
  group.run(first);
  group.run(second);
  EXPECT_EQ(group.run_and_wait(third), tbb::complete);
  EXPECT_EQ(ran, 3);

  tbb::structured_task_group structured;
  auto fourth = tbb::make_task(f);
  auto fifth = tbb::make_task(f);
  structured.run(fourth);
  EXPECT_FALSE(structured.is_canceling());
  EXPECT_EQ(structured.run_and_wait(fifth), tbb::complete);
  EXPECT_EQ(ran, 5);
#ifndef CONFORMANCE_ON_TBB_2020  // waits once, and runs each once
  structured.run_and_wait([&ran] { ++ran; });
  structured.run(first);
  structured.wait();
  EXPECT_EQ(ran, 7);
#endif
}

TEST(ClassicNamesTest, GroupsKnowThatTheyAreCancelled) {
  tbb::task_group group;
  bool canceling = false;
  EXPECT_EQ(group.run_and_wait([&] {
    group.cancel();
    canceling = group.is_canceling();
  }),
            tbb::canceled);
  EXPECT_TRUE(canceling);
}

// Calls f() in a loop of the context, once.
template <typename F>
void InLoopOf(tbb::task_group_context& context, const F& f) {
  tbb::parallel_for(
      0, 1, [&f](int) { f(); }, tbb::auto_partitioner(), context);
}

TEST(ClassicNamesTest, BodiesRegisterExceptions) {
  const auto register_one = [](tbb::task_group_context& context) {
    try {
      throw std::logic_error("registered");
    } catch (const std::logic_error&) {
      context.register_pending_exception();
    }
  };
  tbb::task_group_context context;
  EXPECT_THROW(InLoopOf(context,
                        [&] {
                          register_one(context);
                          throw std::runtime_error("second");
                        }),
               std::logic_error);
  context.reset();
  EXPECT_NO_THROW(InLoopOf(context, [&] {
    context.cancel_group_execution();
    register_one(context);
  }));
}

TEST(ClassicNamesTest, AStructuredGroupThatNobodyWaitsForThrows) {
  std::atomic<bool> go{false};
  EXPECT_THROW(
      {
        auto blocked = tbb::make_task([&go] {
          while (!go) std::this_thread::yield();
        });
        std::unique_ptr<std::thread> opener;
        const auto join = [&opener] {
          if (opener) opener->join();
        };
        try {
          tbb::structured_task_group group;
          group.run(blocked);
          opener = std::make_unique<std::thread>([&go] { go = true; });
        } catch (...) {
          join();
          throw;
        }
        join();
        throw tbb::missing_wait();  // the task was over before the group was
      },
      tbb::missing_wait);
}

TEST(ClassicNamesTest, ArenasHaveTheirOldMembers) {
  tbb::task_arena arena(2);
  arena.execute([] { EXPECT_GE(tbb::task_arena::current_thread_index(), 0); });
  std::atomic<bool> ran{false};
  arena.enqueue([&] { ran = true; }, tbb::priority_high);
  while (!ran) std::this_thread::yield();
}

#ifndef CONFORMANCE_ON_TBB_2020
TEST(ClassicNamesTest, CProgramsHaveTheScalableFunctions) { EXPECT_EQ(ScalableFunctionsInC(), 0); }
#endif

// A loop that its first part ends.
template <typename Range>
void CancelThroughSelf(const Range& range, int parts) {
  std::atomic<int> ran{0};
  tbb::parallel_for(
      range,
      [&](const Range&) {
        tbb::task::self().group()->cancel_group_execution();
        EXPECT_TRUE(tbb::task::self().is_cancelled());
        ++ran;
      },
      tbb::simple_partitioner());
  EXPECT_LT(ran, parts);
  EXPECT_FALSE(tbb::task::self().is_cancelled());
}

TEST(ClassicNamesTest, SelfInAnAlgorithmIsOfItsGroup) {
  CancelThroughSelf(tbb::blocked_range<int>(0, 100000), 100000);
  CancelThroughSelf(tbb::blocked_range2d<int>(0, 300, 0, 300), 90000);
}

}  // namespace
