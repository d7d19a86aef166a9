#include "filch/pool/trace_json.h"

#include <atomic>
#include <cctype>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <thread>

#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/execute.h"
#include "filch/pool/pool.h"
#include "filch/pool/task_group.h"
#include "gtest/gtest.h"
#include "tests/pool/held_wait.h"
#include "tests/pool/of_threads.h"

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

// Accepts what is JSON, except for escapes in strings, which a trace does not have.
class JsonReader {
 public:
  static bool IsJson(const std::string& text) {
    JsonReader reader(text);
    return reader.Value() && reader.AtEnd();
  }

 private:
  explicit JsonReader(const std::string& text) : text_(text) {}

  void SkipSpace() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool AtEnd() {
    SkipSpace();
    return at_ == text_.size();
  }
  bool Take(char expected) {
    SkipSpace();
    if (at_ == text_.size() || text_[at_] != expected) return false;
    ++at_;
    return true;
  }
  bool String() {
    if (!Take('"')) return false;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\' || static_cast<unsigned char>(text_[at_]) < ' ') return false;
      ++at_;
    }
    return Take('"');
  }
  bool Number() {
    SkipSpace();
    char* end = nullptr;
    const char* const begin = text_.c_str() + at_;
    static_cast<void>(std::strtod(begin, &end));
    at_ += static_cast<std::size_t>(end - begin);
    return end != begin;
  }
  // Members or elements, up to `close`.
  template <typename Element>
  bool List(char close, const Element& element) {
    if (Take(close)) return true;
    do {
      if (!element()) return false;
    } while (Take(','));
    return Take(close);
  }
  bool Value() {
    if (Take('{')) return List('}', [this] { return String() && Take(':') && Value(); });
    if (Take('[')) return List(']', [this] { return Value(); });
    SkipSpace();
    return at_ < text_.size() && text_[at_] == '"' ? String() : Number();
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

TEST(TraceJsonTest, TasksStealsParksAndWakesOfARunningPoolAreJson) {
  EXPECT_FALSE(JsonReader::IsJson("{\"a\": [1, 2,]}"));
  PoolOptions options;
  options.concurrency = 1;
  options.trace_events = 100;
  Pool pool(options);
  EXPECT_TRUE(JsonReader::IsJson(pool.TraceJson()));
  Arena& arena = pool.AcquireArena({2, 2, Priority::kNormal});
  HeldWait wait;
  std::thread sleeper([&] { ExecuteIn(arena, [&] { wait.Begin(); }); });
  ExecuteIn(arena, [&] {
    UntilOneSleeps(pool);
    // The sleeper is called for a task, since this thread does not wait.
    std::atomic<bool> ran{false};
    TaskGroup group;
    group.Run([&] { ran = true; });
    while (!ran.load()) std::this_thread::yield();
    wait.End();
    group.Wait();
  });
  sleeper.join();
  const std::string trace = pool.TraceJson();
  EXPECT_TRUE(JsonReader::IsJson(trace)) << trace;
  EXPECT_EQ(CountOf("\"name\": \"task\", \"ph\": \"X\"", trace), 1) << trace;
  EXPECT_EQ(CountOf("\"rule\": \"steal\"", trace), 1) << trace;
  EXPECT_GE(CountOf("\"name\": \"parked\", \"ph\": \"X\"", trace), 1) << trace;
  EXPECT_GE(CountOf("\"name\": \"wake\", \"ph\": \"i\"", trace), 1) << trace;
}

TEST(TraceJsonTest, WorkersSleepBetweenTheirTasks) {
  PoolOptions options;
  options.concurrency = 2;
  options.trace_events = 100;
  Pool pool(options);
  const auto run_on_worker = [&pool] {
    pool.Execute([] {
      std::atomic<bool> ran{false};
      Enqueue(CurrentArena(), [&] { ran = true; });
      while (!ran.load()) std::this_thread::yield();
    });
  };
  run_on_worker();
  // The worker goes to sleep by itself; if it did not, this would not end.
  while (pool.Stats().parks < 1) std::this_thread::yield();
  run_on_worker();
  const std::string trace = pool.TraceJson();
  EXPECT_TRUE(JsonReader::IsJson(trace)) << trace;
  const std::size_t row = trace.find("\"name\": \"worker 0\"");
  ASSERT_NE(row, std::string::npos) << trace;
  EXPECT_EQ(CountOf("\"name\": \"parked\", \"ph\": \"X\"", trace.substr(0, row)), 0) << trace;
  EXPECT_GE(CountOf("\"name\": \"parked\", \"ph\": \"X\"", trace.substr(row)), 1) << trace;
  // The thread in the slot called it.
  EXPECT_GE(CountOf("\"name\": \"wake\", \"ph\": \"i\"", trace), 1) << trace;
  EXPECT_EQ(CountOf("\"rule\": \"shared queue\"", trace), 2) << trace;
}

TEST(TraceJsonTest, APoolThatIsNotTracedHasAnEmptyTrace) {
  Pool pool(OfThreads(2));
  pool.Execute([] {
    TaskGroup group;
    group.Run([] {});
    group.Wait();
  });
  EXPECT_EQ(CountOf("name", pool.TraceJson()), 0);
}

}  // namespace
}  // namespace filch
