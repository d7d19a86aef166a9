// Bodies of parallel_for with data that their calls change: no object is called twice at once.
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>
#include <utility>

#include "gtest/gtest.h"
#include "tests/conformance/argument_tails.h"
#include "tests/conformance/parallelism_fixture.h"

namespace {

using LoopBodyCopiesTest = ParallelismTest;
INSTANTIATE_TEST_SUITE_P(Limits, LoopBodyCopiesTest, kLimits);

using NativeRange = tbb::blocked_range<int>;

// A range that only the program knows how to cut.
class OwnRange {
 public:
  OwnRange(int begin, int end) : begin_(begin), end_(end) {}
  OwnRange(OwnRange& rest, tbb::split)
      : begin_(rest.begin_ + (rest.end_ - rest.begin_) / 2), end_(rest.end_) {
    rest.end_ = begin_;
  }
  bool empty() const { return begin_ == end_; }
  bool is_divisible() const { return end_ - begin_ > 1; }
  int begin() const { return begin_; }
  int end() const { return end_; }

 private:
  int begin_;
  int end_;
};

// What all copies of a body have in common.
struct Shared {
  explicit Shared(std::function<void()> to_do) : work(std::move(to_do)) {}

  const std::function<void()> work;  // of each call
  std::atomic<int> indices{0};       // that were run
  std::atomic<int> clashes{0};       // calls of an object that was being called
  std::atomic<int> alive{0};         // copies
  std::atomic<int> copies_left{1 << 30};
  std::atomic<bool> broken{false};  // a copy was destroyed twice, or called after that
};

// Notes that the object with the flag is called while it lives.
class Call {
 public:
  Call(bool& busy, Shared& shared) : busy_(busy) {
    if (__atomic_exchange_n(&busy, true, __ATOMIC_ACQ_REL)) ++shared.clashes;
  }
  ~Call() { __atomic_store_n(&busy_, false, __ATOMIC_RELEASE); }

 private:
  bool& busy_;
};

// Is copied by its bytes, of which there are kBytes more.
template <std::size_t kBytes>
struct PlainBody {
  explicit PlainBody(Shared& all) : shared(&all) {}

  void Run() const {
    const Call call(busy, *shared);
    scratch[0] = 1;
    shared->work();
  }

  Shared* shared;
  mutable bool busy = false;
  mutable unsigned char scratch[kBytes] = {};
};
static_assert(std::is_trivially_copyable_v<PlainBody<8>>);

// Has a copy constructor, which makes scratch data of its own and may throw.
struct CarefulBody {
  explicit CarefulBody(Shared& all) : shared(&all) { ++shared->alive; }
  CarefulBody(const CarefulBody& other) : shared(other.shared) {
    if (shared->copies_left.fetch_sub(1) <= 0) throw std::length_error("no more copies");
    ++shared->alive;
  }
  CarefulBody& operator=(const CarefulBody&) = delete;
  ~CarefulBody() {
    if (self != this) shared->broken = true;
    self = nullptr;
    --shared->alive;
  }

  void Run() const {
    const Call call(busy, *shared);
    if (self != this) shared->broken = true;
    shared->work();
  }

  Shared* shared;
  const CarefulBody* self = this;
  mutable bool busy = false;
};

template <typename Base>
struct Body : Base {
  explicit Body(Shared& all) : Base(all) {}
  template <typename Range>
  void operator()(const Range& part) const {
    this->shared->indices += part.end() - part.begin();
    this->Run();
  }
};

void LetOthersRun() {
  for (int i = 0; i < 3; ++i) std::this_thread::yield();
}

// Loops over both kinds of range in all forms.
template <typename With>
void ForEachRangeAndTail(const With& with) {
  ForEachTail([&](auto&&... tail) { with(NativeRange(0, 100), tail...); });
  ForEachTail([&](auto&&... tail) { with(OwnRange(0, 100), tail...); });
}

template <typename Base>
void CallsNoObjectTwiceAtOnce() {
  for (int time = 0; time < 3; ++time) {
    ForEachRangeAndTail([](const auto& range, auto&&... tail) {
      Shared shared(&LetOthersRun);
      const Body<Base> body(shared);
      tbb::parallel_for(range, body, tail...);
      EXPECT_EQ(shared.indices, 100);
      EXPECT_EQ(shared.clashes, 0);
    });
  }
}

TEST_P(LoopBodyCopiesTest, NoSmallPlainBodyIsCalledTwiceAtOnce) {
  CallsNoObjectTwiceAtOnce<PlainBody<8>>();
}
TEST_P(LoopBodyCopiesTest, NoLargePlainBodyIsCalledTwiceAtOnce) {
  CallsNoObjectTwiceAtOnce<PlainBody<5000>>();
}
TEST_P(LoopBodyCopiesTest, NoCarefulBodyIsCalledTwiceAtOnce) {
  CallsNoObjectTwiceAtOnce<CarefulBody>();
}

// The first call waits for the second.
template <typename Base, typename Range>
void CallsTwoObjects() {
  std::atomic<int> begun{0};
  Shared shared([&begun] {
    const bool first = begun.fetch_add(1) == 0;
    while (first && begun < 2) std::this_thread::yield();
  });
  const Body<Base> body(shared);
  tbb::parallel_for(Range(0, 100), body, tbb::simple_partitioner());
  EXPECT_EQ(shared.indices, 100);
  EXPECT_EQ(shared.clashes, 0);
}

TEST_P(LoopBodyCopiesTest, CallsAtTheSameTimeHaveTwoObjects) {
  if (limit() == 1 || tbb::this_task_arena::max_concurrency() == 1) return;  // no other thread
  for (int time = 0; time < 20; ++time) {
    CallsTwoObjects<PlainBody<8>, NativeRange>();
    CallsTwoObjects<PlainBody<8>, OwnRange>();
    CallsTwoObjects<PlainBody<5000>, NativeRange>();
    CallsTwoObjects<PlainBody<5000>, OwnRange>();
    CallsTwoObjects<CarefulBody, NativeRange>();
    CallsTwoObjects<CarefulBody, OwnRange>();
  }
}

// A call that waits for a loop of its own may run other parts of the outer loop meanwhile.
template <typename Base>
void CallsNoObjectInItself() {
  for (int time = 0; time < 3; ++time) {
    ForEachRangeAndTail([](const auto& range, auto&&... tail) {
      Shared inner(&LetOthersRun);
      Shared outer([&inner] {
        tbb::parallel_for(OwnRange(0, 4), Body<Base>(inner), tbb::simple_partitioner());
      });
      const Body<Base> body(outer);
      tbb::parallel_for(range, body, tail...);
      EXPECT_EQ(outer.indices, 100);
      EXPECT_EQ(outer.clashes, 0);
      EXPECT_EQ(inner.clashes, 0);
      EXPECT_EQ(inner.alive, 0);
    });
  }
}

TEST_P(LoopBodyCopiesTest, NoPlainBodyIsCalledInACallOfIt) {
  CallsNoObjectInItself<PlainBody<5000>>();
}
TEST_P(LoopBodyCopiesTest, NoCarefulBodyIsCalledInACallOfIt) {
  CallsNoObjectInItself<CarefulBody>();
}

// So that threads may copy it while others call theirs, and two loops may have one.
TEST_P(LoopBodyCopiesTest, TheProgramsOwnObjectIsNotCalled) {
  ForEachRangeAndTail([](const auto& range, auto&&... tail) {
    Shared shared(&LetOthersRun);
    const Body<PlainBody<8>> plain(shared);
    const Body<CarefulBody> careful(shared);
    tbb::parallel_for(range, plain, tail...);
    EXPECT_EQ(plain.scratch[0], 0);
    const Call call(careful.busy, shared);
    tbb::parallel_for(range, careful, tail...);
    EXPECT_EQ(shared.clashes, 0);
    EXPECT_EQ(shared.indices, 200);
  });
}

TEST_P(LoopBodyCopiesTest, AllCopiesAreDestroyed) {
  ForEachRangeAndTail([](const auto& range, auto&&... tail) {
    Shared shared(&LetOthersRun);
    const Body<CarefulBody> body(shared);
    tbb::parallel_for(range, body, tail...);
    EXPECT_EQ(shared.alive, 1);
    EXPECT_FALSE(shared.broken);
  });
}

TEST_P(LoopBodyCopiesTest, AllCopiesAreDestroyedWhenACallThrows) {
  for (int calls = 1; calls < 20; calls += 3) {
    ForEachRangeAndTail([calls](const auto& range, auto&&... tail) {
      std::atomic<int> left{calls};
      Shared shared([&left] {
        LetOthersRun();
        if (--left == 0) throw std::out_of_range("that was one call too many");
      });
      const Body<CarefulBody> body(shared);
      try {
        tbb::parallel_for(range, body, tail...);
      } catch (const std::out_of_range&) {
      }
      EXPECT_EQ(shared.alive, 1);
      EXPECT_FALSE(shared.broken);
    });
  }
}

template <typename Range, typename Partitioner>
void CancelsALoop(Partitioner&& partitioner) {
  tbb::task_group_context context;
  Shared shared([&context] {
    LetOthersRun();
    context.cancel_group_execution();
  });
  const Body<CarefulBody> body(shared);
  tbb::parallel_for(Range(0, 1000), body, partitioner, context);
  EXPECT_EQ(shared.alive, 1);
  EXPECT_FALSE(shared.broken);
  EXPECT_GE(shared.indices, 1);
}

TEST_P(LoopBodyCopiesTest, AllCopiesAreDestroyedWhenALoopIsCancelled) {
  for (int time = 0; time < 20; ++time) {
    tbb::affinity_partitioner affinity;
    CancelsALoop<NativeRange>(tbb::simple_partitioner());
    CancelsALoop<NativeRange>(tbb::auto_partitioner());
    CancelsALoop<NativeRange>(tbb::static_partitioner());
    CancelsALoop<NativeRange>(affinity);
    CancelsALoop<OwnRange>(tbb::simple_partitioner());
    CancelsALoop<OwnRange>(tbb::auto_partitioner());
    CancelsALoop<OwnRange>(tbb::static_partitioner());
    CancelsALoop<OwnRange>(affinity);
  }
}

TEST_P(LoopBodyCopiesTest, WhatACopyThrowsArrives) {
  for (int copies = 0; copies < 6; ++copies) {
    ForEachRangeAndTail([copies](const auto& range, auto&&... tail) {
      Shared shared(&LetOthersRun);
      const Body<CarefulBody> body(shared);
      shared.copies_left = copies;
      bool threw = false;
      try {
        tbb::parallel_for(range, body, tail...);
      } catch (const std::length_error&) {
        threw = true;
      }
      // After an exception its context runs nothing in the forms that follow.
      EXPECT_TRUE(threw || shared.indices == 100 || shared.indices == 0) << shared.indices;
      EXPECT_TRUE(threw || shared.copies_left >= 0);
      EXPECT_EQ(shared.alive, 1);
      EXPECT_FALSE(shared.broken);
    });
  }
}

TEST_P(LoopBodyCopiesTest, WhatTheFirstCopyThrowsArrives) {
  Shared shared(&LetOthersRun);
  const Body<CarefulBody> body(shared);
  shared.copies_left = 0;
  EXPECT_THROW(tbb::parallel_for(NativeRange(0, 100), body), std::length_error);
  EXPECT_THROW(tbb::parallel_for(OwnRange(0, 100), body), std::length_error);
  EXPECT_EQ(shared.indices, 0);
}

template <typename Range>
void ThrowsInTheSecondCopy() {
  // The first copy's call ends when the second copy has thrown.
  std::atomic<Shared*> all{nullptr};
  Shared shared([&all] {
    while (all.load()->copies_left >= 0) std::this_thread::yield();
  });
  all = &shared;
  const Body<CarefulBody> body(shared);
  shared.copies_left = 1;
  EXPECT_THROW(tbb::parallel_for(Range(0, 100), body, tbb::simple_partitioner()),
               std::length_error);
  EXPECT_EQ(shared.alive, 1);
  EXPECT_FALSE(shared.broken);
}

TEST_P(LoopBodyCopiesTest, WhatTheCopyOfAnotherThreadThrowsArrives) {
  if (limit() == 1 || tbb::this_task_arena::max_concurrency() == 1) return;  // no other thread
  for (int time = 0; time < 20; ++time) {
    ThrowsInTheSecondCopy<NativeRange>();
    ThrowsInTheSecondCopy<OwnRange>();
  }
}

// More than a stack has room for.
struct LargeBody {
  std::atomic<int>* calls = nullptr;
  char data[std::size_t{12} << 20] = {};

  template <typename Range>
  void operator()(const Range& range) const {
    for (int i = range.begin(); i != range.end(); ++i) *calls += 1 + data[i];
  }
};

TEST_P(LoopBodyCopiesTest, ABodyMayBeLarge) {
  const auto body = std::make_unique<LargeBody>();
  std::atomic<int> calls{0};
  body->calls = &calls;
  tbb::parallel_for(NativeRange(0, 100), *body);
  EXPECT_EQ(calls, 100);
  tbb::parallel_for(OwnRange(0, 100), *body, tbb::simple_partitioner());
  EXPECT_EQ(calls, 200);
}

}  // namespace
