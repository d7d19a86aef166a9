#include "filch/pool/trace_json.h"

#include <string>

#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

using pool_internal::TraceEvent;
using pool_internal::TraceJson;
using pool_internal::TraceKind;

int CountOf(const std::string& part, const std::string& text) {
  int count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(TraceJsonTest, DrawsBoxesInsideEachOther) {
  TraceJson json;
  json.AddRow("a slot", {{1000, TraceKind::kTaskBegin, 6},
                         {2500, TraceKind::kTaskBegin, 3},
                         {4000, TraceKind::kTaskEnd, 0},
                         {4500, TraceKind::kWake, 0},
                         {9000, TraceKind::kTaskEnd, 0}});
  EXPECT_EQ(json.Text(),
            "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
            "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": 1, "
            "\"args\": {\"name\": \"a slot\"}},\n"
            "{\"name\": \"task\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 2.500, "
            "\"dur\": 1.500, \"args\": {\"rule\": \"own deque\"}},\n"
            "{\"name\": \"wake\", \"ph\": \"i\", \"s\": \"t\", \"pid\": 1, \"tid\": 1, "
            "\"ts\": 4.500},\n"
            "{\"name\": \"task\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 1.000, "
            "\"dur\": 8.000, \"args\": {\"rule\": \"steal\"}}\n]}\n");
}

TEST(TraceJsonTest, WhatIsCutOffIsDrawnAsFarAsItGoes) {
  TraceJson json;
  json.AddRow("", {{1000, TraceKind::kTaskEnd, 0}, {2000, TraceKind::kParkBegin, 0}});
  json.AddRow("", {});
  const std::string text = json.Text();
  EXPECT_EQ(CountOf("\"task\"", text), 0);
  EXPECT_EQ(CountOf("\"name\": \"parked\", \"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"ts\": 2.000, "
                    "\"dur\": 0.000",
                    text),
            1);
  EXPECT_EQ(CountOf("\"tid\": 2", text), 1);
}

TEST(TraceJsonTest, APoolTellsWhichRuleChoseEachTask) {
  PoolOptions options;
  options.concurrency = 1;
  options.trace_events = 100;
  Pool pool(options);
  pool.Execute([] {
    TaskGroup group;
    for (int i = 0; i < 5; ++i) group.Run([] {});
    group.Wait();
  });
  const std::string trace = pool.TraceJson();
  EXPECT_EQ(CountOf("\"name\": \"task\"", trace), 5);
  EXPECT_EQ(CountOf("\"rule\": \"own deque\"", trace), 5);
}

TEST(TraceJsonTest, APoolThatIsNotTracedHasAnEmptyTrace) {
  PoolOptions options;
  options.concurrency = 2;
  Pool pool(options);
  pool.Execute([] {
    TaskGroup group;
    group.Run([] {});
    group.Wait();
  });
  EXPECT_EQ(CountOf("name", pool.TraceJson()), 0);
}

}  // namespace
}  // namespace filch
