// The pools of scalable_allocator.h in memory that the program gives them.
#include <tbb/scalable_allocator.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "tests/conformance/on_onetbb.h"

namespace {

constexpr std::size_t kKiB = std::size_t{1} << 10;
constexpr std::size_t kMiB = std::size_t{1} << 20;

static_assert(rml::POOL_OK == static_cast<int>(TBBMALLOC_OK));
static_assert(rml::INVALID_POLICY == static_cast<int>(TBBMALLOC_INVALID_PARAM));
static_assert(rml::UNSUPPORTED_POLICY == static_cast<int>(TBBMALLOC_UNSUPPORTED));
static_assert(rml::NO_MEMORY == static_cast<int>(TBBMALLOC_NO_MEMORY));
static_assert(rml::NO_EFFECT == static_cast<int>(TBBMALLOC_NO_EFFECT));
static_assert(std::is_same_v<rml::rawAllocType, void* (*)(std::intptr_t, std::size_t&)>);
static_assert(std::is_same_v<rml::rawFreeType, int (*)(std::intptr_t, void*, std::size_t)>);

// The memory of a pool, and what the pool did with it. oneTBB's threads ask, and give back, at the
// same time; what the pool did is read when none does.
class Source {
 public:
  // What it gives out at most, in one piece.
  explicit Source(std::size_t limit = SIZE_MAX) : limit_(limit) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() { EXPECT_EQ(pieces_.size(), 0u) << "memory that did not come back"; }

  static void* Take(std::intptr_t id, std::size_t& bytes) { return Of(id).TakePiece(bytes); }
  static int GiveBack(std::intptr_t id, void* memory, std::size_t bytes) {
    return Of(id).TakeBack(memory, bytes);
  }
  // Gives all that it has, however much is asked for.
  static void* TakeAll(std::intptr_t id, std::size_t& bytes) {
    bytes = Of(id).limit_;
    return Take(id, bytes);
  }

  std::intptr_t id() const { return reinterpret_cast<std::intptr_t>(this); }

  bool Has(const void* memory, std::size_t size) const {
    const auto* const begin = static_cast<const char*>(memory);
    return std::any_of(pieces_.begin(), pieces_.end(), [&](const auto& entry) {
      const char* const piece = entry.first;
      return begin >= piece && begin + size <= piece + entry.second;
    });
  }

  // What is out there now.
  std::size_t given_out() const {
    std::size_t sum = 0;
    for (const auto& [piece, bytes] : pieces_) sum += bytes;
    return sum;
  }

  bool gives = true;
  bool takes = true;
  std::size_t total_limit = SIZE_MAX;
  std::size_t granularity = 1;
  int asked = 0;
  int given_back = 0;

 private:
  static Source& Of(std::intptr_t id) { return *reinterpret_cast<Source*>(id); }

  void* TakePiece(std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++asked;
    EXPECT_EQ(bytes % granularity, 0u);
    if (!gives || bytes > limit_ || given_out() + bytes > total_limit) return nullptr;
    // No piece has an alignment.
    char* const memory = static_cast<char*>(std::malloc(bytes + 1)) + 1;
    pieces_[memory] = bytes;
    return memory;
  }
  int TakeBack(void* memory, std::size_t bytes) {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++given_back;
    const auto piece = pieces_.find(static_cast<char*>(memory));
    EXPECT_TRUE(piece != pieces_.end() && piece->second == bytes);
    std::free(piece->first - 1);
    pieces_.erase(piece);
    return takes ? 0 : -1;
  }

  const std::size_t limit_;
  std::mutex mutex_;
  std::map<char*, std::size_t> pieces_;
};

const rml::MemPoolPolicy kOrdinary(&Source::Take, &Source::GiveBack);
const rml::MemPoolPolicy kFixed(&Source::TakeAll, &Source::GiveBack, 0, /*fixedPool=*/true);

rml::MemoryPool* Create(const Source& source, const rml::MemPoolPolicy& policy = kOrdinary) {
  rml::MemoryPool* pool = nullptr;
  EXPECT_EQ(rml::pool_create_v1(source.id(), &policy, &pool), rml::POOL_OK);
  return pool;
}

std::uintptr_t Offset(const void* memory, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(memory) & (alignment - 1);
}

// Whether all bytes are the mark.
bool Is(unsigned char mark, const void* memory, std::size_t size) {
  const auto* const bytes = static_cast<const unsigned char*>(memory);
  return std::all_of(bytes, bytes + size, [mark](unsigned char byte) { return byte == mark; });
}

rml::MemPoolError ErrorOf(const rml::MemPoolPolicy* policy) {
  int nothing = 0;
  auto* pool = reinterpret_cast<rml::MemoryPool*>(&nothing);
  const rml::MemPoolError error = rml::pool_create_v1(0, policy, &pool);
  EXPECT_EQ(pool, nullptr);
  return error;
}

TEST(RmlPoolsTest, PoliciesAreChecked) {
  EXPECT_EQ(kOrdinary.version, rml::MemPoolPolicy::TBBMALLOC_POOL_VERSION);
  EXPECT_TRUE(!kOrdinary.fixedPool && !kOrdinary.keepAllMemory && kOrdinary.granularity == 0);
  const rml::MemPoolPolicy without_source(nullptr, &Source::GiveBack);
  EXPECT_EQ(ErrorOf(&without_source), rml::INVALID_POLICY);
  const rml::MemPoolPolicy without_return(&Source::Take, nullptr);
  EXPECT_EQ(ErrorOf(&without_return), rml::INVALID_POLICY);
  rml::MemPoolPolicy policy = kOrdinary;
  policy.version = 0;
  EXPECT_EQ(ErrorOf(&policy), rml::INVALID_POLICY);
  policy.version = 2;
  EXPECT_EQ(ErrorOf(&policy), rml::UNSUPPORTED_POLICY);
  policy = kOrdinary;
  policy.reserved = 1;
  EXPECT_EQ(ErrorOf(&policy), rml::UNSUPPORTED_POLICY);
  // oneTBB reads it.
  if (!kOnOneTbb) {
    EXPECT_EQ(ErrorOf(nullptr), rml::INVALID_POLICY);
  }
}

TEST(RmlPoolsTest, NoPoolAndNoObjectAreErrors) {
  Source source;
  rml::MemoryPool* const pool = Create(source);
  void* const object = rml::pool_malloc(pool, 10);
  EXPECT_FALSE(rml::pool_destroy(nullptr));
  EXPECT_FALSE(rml::pool_reset(nullptr));
  EXPECT_EQ(rml::pool_malloc(nullptr, 10), nullptr);
  EXPECT_EQ(rml::pool_realloc(nullptr, nullptr, 10), nullptr);
  EXPECT_EQ(rml::pool_aligned_malloc(nullptr, 10, 16), nullptr);
  EXPECT_EQ(rml::pool_aligned_realloc(nullptr, nullptr, 10, 16), nullptr);
  EXPECT_FALSE(rml::pool_free(nullptr, object));
  EXPECT_FALSE(rml::pool_free(pool, nullptr));
  EXPECT_EQ(rml::pool_msize(pool, nullptr), 0u);
  // oneTBB reads before null.
  if (!kOnOneTbb) {
    EXPECT_EQ(rml::pool_identify(nullptr), nullptr);
  }
  EXPECT_TRUE(rml::pool_free(pool, object));
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, ObjectsAreThePoolsAndDistinct) {
  Source source;
  Source other_source;
  rml::MemoryPool* const pool = Create(source);
  rml::MemoryPool* const other = Create(other_source);
  std::map<unsigned char*, std::size_t> objects;
  for (std::size_t size = 0; size <= 200000; size += 1 + size / 5) {
    auto* const object = static_cast<unsigned char*>(rml::pool_malloc(pool, size));
    ASSERT_NE(object, nullptr);
    EXPECT_EQ(Offset(object, 8), 0u);
    EXPECT_TRUE(source.Has(object, size));
    EXPECT_GE(rml::pool_msize(pool, object), size);
    EXPECT_EQ(rml::pool_identify(object), pool);
    std::memset(object, static_cast<int>(size % 251), rml::pool_msize(pool, object));
    objects[object] = size;
    void* const others = rml::pool_malloc(other, size);
    EXPECT_TRUE(other_source.Has(others, size));
    EXPECT_EQ(rml::pool_identify(others), other);
    // oneTBB frees it, in one pool or the other.
    if (!kOnOneTbb) {
      EXPECT_FALSE(rml::pool_free(pool, others));
    }
    EXPECT_TRUE(rml::pool_free(other, others));
  }
  for (const auto& [object, size] : objects) {
    EXPECT_TRUE(Is(static_cast<unsigned char>(size % 251), object, size));
    EXPECT_TRUE(rml::pool_free(pool, object));
  }
  EXPECT_TRUE(rml::pool_destroy(pool));
  EXPECT_TRUE(rml::pool_destroy(other));
}

TEST(RmlPoolsTest, AlignsUpTo8MiB) {
  Source source;
  rml::MemoryPool* const pool = Create(source);
  for (std::size_t alignment = 1; alignment <= 8 * kMiB; alignment *= 2) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{9000}, kMiB}) {
      void* const object = rml::pool_aligned_malloc(pool, size, alignment);
      ASSERT_NE(object, nullptr);
      EXPECT_EQ(Offset(object, alignment), 0u) << alignment << ' ' << size;
      EXPECT_TRUE(source.Has(object, size));
      EXPECT_EQ(rml::pool_identify(object), pool);
      EXPECT_GE(rml::pool_msize(pool, object), size);
      std::memset(object, 5, size);
      if (size != 100) {
        EXPECT_TRUE(rml::pool_free(pool, object));
      }
    }
  }
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, WhatCannotBeIsRefused) {
  Source source;
  rml::MemoryPool* const pool = Create(source);
  void* const object = rml::pool_malloc(pool, 100);
  std::memset(object, 3, 100);
  const int asked = source.asked;
  for (const std::size_t alignment : {0, 3, 24, 100}) {
    EXPECT_EQ(rml::pool_aligned_malloc(pool, 100, alignment), nullptr);
    EXPECT_EQ(rml::pool_aligned_realloc(pool, object, 100, alignment), nullptr);
  }
  EXPECT_EQ(rml::pool_aligned_malloc(pool, 0, 64), nullptr);
  EXPECT_EQ(rml::pool_malloc(pool, SIZE_MAX - 5), nullptr);
  EXPECT_EQ(rml::pool_realloc(pool, object, SIZE_MAX - 5), nullptr);
  EXPECT_EQ(rml::pool_aligned_malloc(pool, SIZE_MAX - 5, 64), nullptr);
  EXPECT_EQ(rml::pool_aligned_realloc(pool, object, SIZE_MAX - 5, 64), nullptr);
  EXPECT_EQ(source.asked, asked);
  EXPECT_TRUE(Is(3, object, 100));
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, ReallocKeepsTheContents) {
  Source source;
  rml::MemoryPool* const pool = Create(source);
  void* object = rml::pool_realloc(pool, nullptr, 1000);
  std::memset(object, 7, 1000);
  std::size_t kept = 1000;
  for (const std::size_t size : {5000ul, 100000ul, 3000000ul, 3000ul, 40ul}) {
    object = rml::pool_realloc(pool, object, size);
    ASSERT_NE(object, nullptr);
    kept = std::min(kept, size);
    EXPECT_TRUE(Is(7, object, kept));
    for (const std::size_t alignment : {16ul, 4096ul, 65536ul}) {
      // What grows has neighbours to mind.
      void* const neighbour = rml::pool_malloc(pool, 100);
      std::memset(neighbour, 8, 100);
      object = rml::pool_aligned_realloc(pool, object, size + alignment, alignment);
      ASSERT_NE(object, nullptr);
      EXPECT_EQ(Offset(object, alignment), 0u);
      EXPECT_TRUE(Is(7, object, kept));
      std::memset(object, 7, size + alignment);
      EXPECT_TRUE(Is(8, neighbour, 100));
    }
  }
  EXPECT_EQ(rml::pool_realloc(pool, object, 0), nullptr);  // and frees it
  object = rml::pool_aligned_realloc(pool, nullptr, 100, 64);
  EXPECT_EQ(Offset(object, 64), 0u);
  EXPECT_EQ(rml::pool_aligned_realloc(pool, object, 0, 64), nullptr);
  EXPECT_NE(rml::pool_realloc(pool, nullptr, 0), nullptr);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, MemoryIsTakenWhenItIsNeeded) {
  Source source;
  rml::MemoryPool* pool = Create(source);
  EXPECT_EQ(source.asked, 0);
  EXPECT_NE(rml::pool_malloc(pool, 10), nullptr);
  EXPECT_GT(source.asked, 0);
  EXPECT_TRUE(rml::pool_destroy(pool));
  EXPECT_GT(source.given_back, 0);
}

TEST(RmlPoolsTest, MemoryThatIsShortMayBeThereLater) {
  Source source;
  rml::MemoryPool* const pool = Create(source);
  source.gives = false;
  EXPECT_EQ(rml::pool_malloc(pool, 10), nullptr);
  EXPECT_EQ(rml::pool_malloc(pool, 10 * kMiB), nullptr);
  source.gives = true;
  void* const object = rml::pool_malloc(pool, 10);
  EXPECT_NE(object, nullptr);
  std::memset(object, 1, 10);
  source.gives = false;
  EXPECT_EQ(rml::pool_realloc(pool, object, 10 * kMiB), nullptr);
  EXPECT_TRUE(Is(1, object, 10));
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, PiecesAreMultiplesOfTheGranularity) {
  for (const std::size_t granularity : {std::size_t{1000}, 4 * kKiB, 2 * kMiB, 10 * kMiB}) {
    Source source;
    source.granularity = granularity;
    rml::MemPoolPolicy policy = kOrdinary;
    policy.granularity = granularity;
    rml::MemoryPool* const pool = Create(source, policy);
    for (std::size_t size = 10; size < 16 * kMiB; size = size * 3 / 2) {
      void* const object = rml::pool_malloc(pool, size);
      EXPECT_TRUE(source.Has(object, size));
      if (size % 4 == 0) {
        EXPECT_TRUE(rml::pool_free(pool, object));
      }
    }
    EXPECT_TRUE(rml::pool_destroy(pool));
  }
}

TEST(RmlPoolsTest, APoolMayGetMoreThanItAskedFor) {
  Source source(8 * kMiB);
  rml::MemPoolPolicy policy = kFixed;
  policy.fixedPool = 0;
  rml::MemoryPool* const pool = Create(source, policy);
  EXPECT_TRUE(source.Has(rml::pool_malloc(pool, kMiB), kMiB));
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, LargeMemoryComesBackWhenItIsFree) {
  Source source;
  rml::MemoryPool* const pool = Create(source);
  EXPECT_TRUE(rml::pool_free(pool, rml::pool_malloc(pool, 16 * kMiB)));
  EXPECT_EQ(source.given_back, 1);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, WhatHadToBeTakenAgainIsKept) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB keeps it from the first time on";
  Source source;
  rml::MemoryPool* const pool = Create(source);
  int given_back = 0;
  for (int round = 0; round < 4; ++round) {
    std::vector<void*> objects;
    for (int i = 0; i < 4; ++i) objects.push_back(rml::pool_malloc(pool, 10 * kMiB));
    for (void* const object : objects) EXPECT_TRUE(rml::pool_free(pool, object));
    if (round == 0) {
      EXPECT_EQ(source.given_back, 4);
    }
    if (round == 1) given_back = source.given_back;
  }
  EXPECT_EQ(source.given_back, given_back);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, NoMoreIsKeptThanWasInUse) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB keeps it";
  Source source;
  rml::MemoryPool* const pool = Create(source);
  for (int round = 0; round < 2; ++round) {
    for (std::size_t size = 5 * kMiB; size <= 60 * kMiB; size += 5 * kMiB) {
      EXPECT_TRUE(rml::pool_free(pool, rml::pool_malloc(pool, size)));
      EXPECT_LE(source.given_out(), 70 * kMiB) << size;
    }
  }
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, EmptyPiecesAreGivenBackBeforeAnObjectIsRefused) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB keeps them";
  Source source(8 * kMiB);
  rml::MemoryPool* const pool = Create(source);
  EXPECT_TRUE(rml::pool_free(pool, rml::pool_malloc(pool, 3 * kMiB)));
  source.total_limit = 8 * kMiB;
  void* const object = rml::pool_malloc(pool, 7 * kMiB);
  EXPECT_NE(object, nullptr);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, ToShrinkNeverFails) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB moves the object";
  for (const std::size_t size : {std::size_t{1000}, std::size_t{100000}}) {
    Source source;
    rml::MemoryPool* const pool = Create(source);
    auto* const object = static_cast<unsigned char*>(rml::pool_malloc(pool, size));
    std::memset(object, 9, size);
    source.gives = false;
    while (rml::pool_malloc(pool, 100) != nullptr) {
    }
    void* const shrunk = rml::pool_realloc(pool, object, 100);
    ASSERT_NE(shrunk, nullptr);
    EXPECT_TRUE(Is(9, shrunk, 100));
    EXPECT_TRUE(rml::pool_destroy(pool));
  }
}

TEST(RmlPoolsTest, MemoryThatIsKeptIsUsedAgain) {
  Source source;
  rml::MemPoolPolicy policy = kOrdinary;
  policy.keepAllMemory = 1;
  rml::MemoryPool* const pool = Create(source, policy);
  int asked = 0;
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> objects{rml::pool_malloc(pool, 16 * kMiB)};
    for (int i = 0; i < 2000; ++i) objects.push_back(rml::pool_malloc(pool, 9000));
    if (round == 0) asked = source.asked;
    for (void* const object : objects) EXPECT_TRUE(rml::pool_free(pool, object));
  }
  EXPECT_EQ(source.asked, asked);
  EXPECT_EQ(source.given_back, 0);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, AResetFreesAllObjects) {
  Source source;
  rml::MemoryPool* const pool = Create(source);
  int asked = 0;
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 100; ++i) {
      for (const std::size_t size : {std::size_t{8}, 50 * kKiB}) {
        void* const object = rml::pool_malloc(pool, size);
        ASSERT_TRUE(source.Has(object, size));
        std::memset(object, 1, size);
      }
    }
    if (round == 0) asked = source.asked;
    EXPECT_TRUE(rml::pool_reset(pool));
  }
  EXPECT_EQ(source.asked, asked);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, AFailureToGiveBackIsReportedAtTheEnd) {
  Source source;
  rml::MemoryPool* const pool = Create(source);
  EXPECT_NE(rml::pool_malloc(pool, 10), nullptr);
  EXPECT_NE(rml::pool_malloc(pool, 16 * kMiB), nullptr);
  source.takes = false;
  EXPECT_FALSE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, AFixedPoolAsksOnce) {
  Source source(8 * kMiB);
  rml::MemoryPool* const pool = Create(source, kFixed);
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> objects;
    while (void* const object = rml::pool_malloc(pool, 100000)) {
      ASSERT_TRUE(source.Has(object, 100000));
      objects.push_back(object);
    }
    EXPECT_GT(objects.size(), 60u);
    EXPECT_EQ(rml::pool_malloc(pool, 4 * kMiB), nullptr);
    if (round == 1) {
      EXPECT_TRUE(rml::pool_reset(pool));
    } else {
      for (void* const object : objects) EXPECT_TRUE(rml::pool_free(pool, object));
    }
    // What was many objects may be one.
    void* const large = rml::pool_malloc(pool, 6 * kMiB);
    EXPECT_NE(large, nullptr);
    EXPECT_TRUE(rml::pool_free(pool, large));
  }
  EXPECT_EQ(source.asked, 1);
  EXPECT_EQ(source.given_back, 0);
  EXPECT_TRUE(rml::pool_destroy(pool));
  EXPECT_EQ(source.given_back, 1);
}

TEST(RmlPoolsTest, WhatThreadsHaveFreedMayBeOneObject) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB's threads keep what they have freed for themselves";
  Source source(8 * kMiB);
  rml::MemoryPool* const pool = Create(source, kFixed);
  for (int round = 0; round < 3; ++round) {
    std::vector<void*> objects;
    for (std::size_t size = 0;; size = (size + 40) % 2000) {
      void* const object = rml::pool_malloc(pool, size);
      if (object == nullptr) break;
      objects.push_back(object);
    }
    constexpr std::size_t kThreads = 5;
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        for (std::size_t i = t; i < objects.size(); i += kThreads) {
          EXPECT_EQ(rml::pool_identify(objects[i]), pool);
          EXPECT_TRUE(rml::pool_free(pool, objects[i]));
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    void* const large = rml::pool_malloc(pool, 8 * kMiB - kKiB);
    ASSERT_NE(large, nullptr);
    EXPECT_TRUE(rml::pool_free(pool, large));
  }
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, ASmallObjectThatIsFreedTwiceIsRefused) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB frees it twice";
  Source source;
  rml::MemoryPool* const pool = Create(source);
  for (const std::size_t size : {0, 100, 1000}) {
    void* const object = rml::pool_malloc(pool, size);
    EXPECT_TRUE(rml::pool_free(pool, object));
    EXPECT_FALSE(rml::pool_free(pool, object));
    void* const first = rml::pool_malloc(pool, size);
    EXPECT_NE(rml::pool_malloc(pool, size), first);
  }
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, AResetFreesObjectsThatWereFreedBefore) {
  Source source(kMiB);
  rml::MemoryPool* const pool = Create(source, kFixed);
  void* const freed = rml::pool_malloc(pool, 100);
  EXPECT_NE(rml::pool_malloc(pool, 100), nullptr);
  EXPECT_TRUE(rml::pool_free(pool, freed));
  EXPECT_TRUE(rml::pool_reset(pool));
  std::vector<char*> objects;
  while (void* const object = rml::pool_malloc(pool, 100)) {
    objects.push_back(static_cast<char*>(object));
  }
  std::sort(objects.begin(), objects.end());
  for (std::size_t i = 1; i < objects.size(); ++i) EXPECT_GE(objects[i] - objects[i - 1], 100);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, AFixedPoolNeedNotGiveItsMemoryBack) {
  struct Buffer {
    static void* Get(std::intptr_t id, std::size_t& bytes) {
      auto* const buffer = reinterpret_cast<Buffer*>(id);
      bytes = buffer->size;
      return buffer->bytes.get();
    }
    const std::size_t size = 4 * kMiB;
    const std::unique_ptr<char[]> bytes{new char[size]};
  };
  const Buffer buffer;
  const rml::MemPoolPolicy policy(&Buffer::Get, nullptr, 0, /*fixedPool=*/true);
  rml::MemoryPool* pool = nullptr;
  ASSERT_EQ(rml::pool_create_v1(reinterpret_cast<std::intptr_t>(&buffer), &policy, &pool),
            rml::POOL_OK);
  EXPECT_NE(rml::pool_malloc(pool, kMiB), nullptr);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, AFixedPoolMayHaveTooLittle) {
  // oneTBB does not give it back then.
  if (!kOnOneTbb) {
    Source source(100);
    rml::MemoryPool* const pool = Create(source, kFixed);
    EXPECT_EQ(rml::pool_malloc(pool, 100), nullptr);
    EXPECT_TRUE(rml::pool_destroy(pool));
  }
  Source source;
  source.gives = false;
  rml::MemoryPool* const pool = Create(source, kFixed);
  EXPECT_EQ(rml::pool_malloc(pool, 10), nullptr);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, AThreadMayFreeItsObjectsWhenItEnds) {
  static Source source;
  static rml::MemoryPool* pool = nullptr;
  pool = Create(source);
  struct FreesAtTheEnd {
    std::vector<void*> objects;
    ~FreesAtTheEnd() {
      for (void* const object : objects) EXPECT_TRUE(rml::pool_free(pool, object));
      // Nor is it late for others.
      EXPECT_TRUE(rml::pool_free(pool, rml::pool_malloc(pool, 100)));
    }
  };
  for (int round = 0; round < 3; ++round) {
    std::thread([] {
      // Made before the thread uses the pool, so destroyed after all that belongs to that.
      thread_local FreesAtTheEnd frees;
      for (const std::size_t size : {10, 100, 5000, 100000}) {
        frees.objects.push_back(rml::pool_malloc(pool, size));
        ASSERT_NE(frees.objects.back(), nullptr);
      }
    }).join();
  }
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, WhoGoesWithoutTakesWhatOtherThreadsKeep) {
  if (kOnOneTbb) GTEST_SKIP() << "oneTBB's threads keep what they have freed for themselves";
  constexpr int kThreads = 4;
  Source source(2 * kMiB);
  rml::MemoryPool* const pool = Create(source, kFixed);
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([pool, t] {
      std::vector<unsigned char*> mine;
      for (int round = 0; round < 50; ++round) {
        // There is never enough for all.
        for (std::size_t i = 0; i < 400; ++i) {
          const std::size_t size = 1 + (i * 331 + static_cast<std::size_t>(t) * 77) % 9000;
          auto* const object = static_cast<unsigned char*>(rml::pool_malloc(pool, size));
          if (object == nullptr) break;
          std::memset(object, t, size);
          mine.push_back(object);
        }
        for (unsigned char* const object : mine) {
          EXPECT_EQ(*object, t);
          EXPECT_TRUE(rml::pool_free(pool, object));
        }
        mine.clear();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  void* const large = rml::pool_malloc(pool, 2 * kMiB - kKiB);
  EXPECT_NE(large, nullptr);
  EXPECT_TRUE(rml::pool_destroy(pool));
}

TEST(RmlPoolsTest, ServesThreadsThatFreeEachOthersObjects) {
  constexpr int kThreads = 4;
  for (const bool fixed : {false, true}) {
    Source source(fixed ? 32 * kMiB : SIZE_MAX);
    rml::MemoryPool* const pool = Create(source, fixed ? kFixed : kOrdinary);
    std::vector<unsigned char*> passed[kThreads];
    for (int round = 0; round < 3; ++round) {
      std::vector<std::thread> threads;
      for (int t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
          std::vector<unsigned char*> mine;
          mine.swap(passed[(t + 1) % kThreads]);
          for (int i = 0; i < 1000; ++i) {
            const std::size_t size = 1 + static_cast<std::size_t>(i * 37 % 5000);
            auto* object =
                static_cast<unsigned char*>(i % 10 == 0 ? rml::pool_aligned_malloc(pool, size, 256)
                                                        : rml::pool_malloc(pool, size));
            ASSERT_NE(object, nullptr);
            if (i % 7 == 0) {
              object = static_cast<unsigned char*>(rml::pool_realloc(pool, object, 2 * size));
            }
            std::memset(object, t, size);
            EXPECT_EQ(rml::pool_identify(object), pool);
            EXPECT_GE(rml::pool_msize(pool, object), size);
            EXPECT_TRUE(Is(static_cast<unsigned char>(t), object, size));
            mine.push_back(object);
            if (i % 3 != 0) {
              EXPECT_TRUE(rml::pool_free(pool, mine[mine.size() / 2]));
              mine.erase(mine.begin() + static_cast<std::ptrdiff_t>(mine.size() / 2));
            }
          }
          for (std::size_t i = 0; i < mine.size() / 2; ++i) rml::pool_free(pool, mine[i]);
          mine.erase(mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(mine.size() / 2));
          // Another thread's in the next round.
          passed[(t + 1) % kThreads] = std::move(mine);
        });
      }
      for (std::thread& thread : threads) thread.join();
      std::rotate(std::begin(passed), std::begin(passed) + 1, std::end(passed));
    }
    EXPECT_TRUE(rml::pool_destroy(pool));
  }
}

}  // namespace
