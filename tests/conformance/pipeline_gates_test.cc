// What a thread does beside passing items through serial steps.
#include <oneapi/tbb/detail/_pipeline_gates.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <cstddef>
#include <thread>

#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"
#include "filch/pool/stream_help.h"
#include "filch/pool/stream_visit.h"
#include "gtest/gtest.h"

namespace {

namespace d1 = tbb::detail::d1;
namespace r1 = tbb::detail::r1;

using Token = d1::SmallPointer<d1::PipelineToken>;

// A step that nobody calls.
class Step final : public d1::PipelineStep {
 public:
  explicit Step(tbb::filter_mode mode) : PipelineStep(mode, nullptr) {}
  void Call(d1::PipelineItem&, d1::PipelineItem&, tbb::flow_control&) const override {}
};

Token AtStep(std::size_t step) {
  Token token = d1::MakeSmall<d1::PipelineToken>();
  token->step = step;
  return token;
}

// Whether the calling thread expects work when it has left an item at that step, where another
// one is.
bool ExpectsWorkAfter(std::size_t step, tbb::filter_mode mode) {
  const Step first(tbb::filter_mode::parallel);
  const Step second(mode);
  const Step third(mode);
  const d1::PipelineStep* const steps[] = {&first, &second, &third};
  const r1::PipelineGatesPointer gates = r1::MakePipelineGates(steps, 3, 4);
  bool& expects_work = filch::pool_internal::CurrentSlot().expects_work;
  expects_work = false;
  Token inside = AtStep(step);
  r1::EnterStep(*gates, inside);
  EXPECT_NE(inside, nullptr);
  EXPECT_FALSE(expects_work) << "it goes on with that one itself";
  Token kept = AtStep(step);
  r1::EnterStep(*gates, kept);
  EXPECT_EQ(kept, nullptr);
  EXPECT_NE(r1::LeaveStep(*gates, *inside), nullptr);
  return expects_work;
}

TEST(PipelineGatesTest, WhoLeavesAnItemAtAGateExpectsItBack) {
  tbb::task_arena(1).execute([] {
    EXPECT_TRUE(ExpectsWorkAfter(1, tbb::filter_mode::serial_in_order));
    EXPECT_TRUE(ExpectsWorkAfter(1, tbb::filter_mode::serial_out_of_order));
  });
}

TEST(PipelineGatesTest, ButNotAtTheLastWhereWhoIsThereTakesItThrough) {
  tbb::task_arena(1).execute([] {
    EXPECT_FALSE(ExpectsWorkAfter(2, tbb::filter_mode::serial_in_order));
    EXPECT_FALSE(ExpectsWorkAfter(2, tbb::filter_mode::serial_out_of_order));
  });
}

TEST(PipelineGatesTest, WhoComesWithEachItemOfAnOrderedPipelineCountsThemAll) {
  tbb::task_arena(1).execute([] {
    const Step first(tbb::filter_mode::serial_in_order);
    const Step second(tbb::filter_mode::parallel);
    const d1::PipelineStep* const steps[] = {&first, &second};
    const r1::PipelineGatesPointer gates = r1::MakePipelineGates(steps, 2, 4);
    filch::StreamVisit* const visit = r1::JoinPipeline(*gates);
    ASSERT_NE(visit, nullptr);
    EXPECT_EQ(visit->items, 0u);
    visit->items = 5;
    EXPECT_EQ(r1::JoinPipeline(*gates), visit);
    EXPECT_EQ(visit->items, 5u);
    EXPECT_TRUE(r1::StaysAtPipeline(*gates, *visit)) << "nobody else is there";
    EXPECT_EQ(visit->items, 0u);
  });
}

// Runs `run` on the only thread that may work in an arena for two, at gates of a pipeline that
// begins with one thread; it has spawned some tasks.
template <typename Run>
void WithGatesOfOneThatBeginsAlone(const Run& run) {
  const Step first(tbb::filter_mode::serial_in_order);
  const Step second(tbb::filter_mode::serial_in_order);
  const d1::PipelineStep* const steps[] = {&first, &second};
  const auto on_thread = [&] {
    // So many that it took little for each, however slow the machine is.
    constexpr int kItems = 10000;
    {
      const r1::PipelineGatesPointer gates = r1::MakePipelineGates(steps, 2, 4);
      ASSERT_TRUE(r1::TakeOfferedBeginning(*gates));
      for (int i = 0; i < kItems; ++i) {
        Token token = AtStep(1);
        r1::ItemBegun(*gates, *token);
        ASSERT_TRUE(r1::ItemEnded(*gates));
      }
      r1::EndPipeline(*gates);
    }
    const r1::PipelineGatesPointer gates = r1::MakePipelineGates(steps, 2, 4);
    ASSERT_TRUE(r1::TakeOfferedBeginning(*gates));
    filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
    EXPECT_NE(slot.withheld_until, 0u);
    tbb::task_group group;
    // The first one in an arena may be shared.
    for (int i = 0; i < 3; ++i) group.run([] {});
    slot.deque.DropRequest();
    ASSERT_GE(slot.deque.private_size(), 2);
    run(*gates, slot);
    group.wait();
  };
  const tbb::global_control one(tbb::global_control::max_allowed_parallelism, 1);
  // A new one, which remembers no pipeline.
  std::thread([&] { tbb::task_arena(2).execute(on_thread); }).join();
}

TEST(PipelineGatesTest, WhoBeginsAloneKeepsItsOfferUntilSomebodyAsks) {
  WithGatesOfOneThatBeginsAlone([](r1::PipelineGates& gates, filch::pool_internal::Slot& slot) {
    const auto before = slot.deque.private_size();
    r1::ShareBeginning(gates);
    Token token = AtStep(1);
    r1::ItemBegun(gates, *token);
    EXPECT_EQ(slot.deque.private_size(), before);
    slot.withheld_until = 0;
    slot.deque.RequestExposure();
    ASSERT_TRUE(r1::ItemEnded(gates));
    r1::ItemBegun(gates, *token);
    EXPECT_LT(slot.deque.private_size(), before);
  });
}

TEST(PipelineGatesTest, WhoStaysAwayLeavesOthersAllThatItHas) {
  WithGatesOfOneThatBeginsAlone([](r1::PipelineGates& gates, filch::pool_internal::Slot& slot) {
    std::thread([&] { r1::JoinPipeline(gates); }).join();
    filch::StreamVisit& visit = filch::StreamHelp::OwnVisit();
    visit = {};
    r1::StayAwayFromPipeline(gates);
    EXPECT_EQ(slot.deque.private_size(), 0);
    EXPECT_NE(visit.stream, nullptr) << "it is back";
  });
}

TEST(PipelineGatesTest, WhereTheFirstStepIsParallelNobodyCounts) {
  const Step first(tbb::filter_mode::parallel);
  const Step second(tbb::filter_mode::parallel);
  const d1::PipelineStep* const steps[] = {&first, &second};
  const r1::PipelineGatesPointer gates = r1::MakePipelineGates(steps, 2, 4);
  EXPECT_EQ(r1::JoinPipeline(*gates), nullptr);
}

}  // namespace
