#include "filch/pool/trace_buffer.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

TEST(TraceBufferTest, KeepsTheLastEventsInOrder) {
  for (const int recorded : {0, 1, 7, 8, 9, 100}) {
    TraceBuffer buffer(7);
    for (int i = 0; i < recorded; ++i) {
      buffer.Record(TraceKind::kTaskBegin, static_cast<std::uint8_t>(i));
    }
    const std::vector<TraceEvent> events = buffer.Read();
    ASSERT_EQ(events.size(), static_cast<std::size_t>(recorded < 7 ? recorded : 7));
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto number = static_cast<std::size_t>(recorded) - events.size() + i;
      EXPECT_EQ(events[i].detail, number);
      EXPECT_EQ(events[i].kind, TraceKind::kTaskBegin);
      if (i > 0) {
        EXPECT_GE(events[i].nanoseconds, events[i - 1].nanoseconds);
      }
    }
  }
}

TEST(TraceBufferTest, ARoundSizeKeepsAtLeastThatMany) {
  TraceBuffer buffer(8);
  for (int i = 0; i < 50; ++i) buffer.Record(TraceKind::kWake);
  EXPECT_GE(buffer.Read().size(), 8u);
}

// The sanitizers' runtimes, which end a program that wants so much.
extern "C" {
__attribute__((weak)) void __asan_init();
__attribute__((weak)) void __tsan_init();
}

TEST(TraceBufferTest, MoreThanThereIsMemoryForIsBadAlloc) {
  if (__asan_init != nullptr || __tsan_init != nullptr) GTEST_SKIP();
  EXPECT_THROW(TraceBuffer(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW(TraceBuffer(SIZE_MAX / 2 + 1), std::bad_alloc);
}

TEST(TraceBufferTest, AReaderNeverSeesATornEvent) {
  // Kind and detail go together; the numbers grow by one from event to event.
  TraceBuffer buffer(16);
  std::atomic<bool> over{false};
  std::thread writer([&] {
    for (unsigned i = 0; i < 200000; ++i) {
      buffer.Record(i % 2 == 0 ? TraceKind::kTaskBegin : TraceKind::kTaskEnd,
                    static_cast<std::uint8_t>(i));
    }
    over = true;
  });
  while (!over) {
    const std::vector<TraceEvent> events = buffer.Read();
    for (std::size_t i = 0; i < events.size(); ++i) {
      ASSERT_EQ(events[i].kind,
                events[i].detail % 2 == 0 ? TraceKind::kTaskBegin : TraceKind::kTaskEnd);
      if (i == 0) continue;
      ASSERT_EQ(events[i].detail, static_cast<std::uint8_t>(events[i - 1].detail + 1));
      ASSERT_GE(events[i].nanoseconds, events[i - 1].nanoseconds);
    }
  }
  writer.join();
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
