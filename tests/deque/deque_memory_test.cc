// What every deque does when memory runs out, and that it gives all of it back.
// The replaced operators new and delete are this whole program's.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "filch/deque/sharded_fifo.h"
#include "gtest/gtest.h"
#include "tests/deque/deques_under_test.h"

namespace {

bool memory_has_run_out = false;
std::int64_t live_allocations = 0;

void* Allocate(std::size_t size, std::size_t alignment) {
  if (memory_has_run_out) throw std::bad_alloc();
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  ++live_allocations;
  return memory;
}

void Free(void* memory) {
  if (memory != nullptr) --live_allocations;
  std::free(memory);
}

constexpr std::size_t kDefaultAlignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

}  // namespace

void* operator new(std::size_t size) { return Allocate(size, kDefaultAlignment); }
void* operator new[](std::size_t size) { return Allocate(size, kDefaultAlignment); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return Allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete[](void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { Free(memory); }

namespace filch {
namespace {

class OutOfMemory {
 public:
  OutOfMemory() { memory_has_run_out = true; }
  ~OutOfMemory() { memory_has_run_out = false; }
};

template <typename Queue>
bool PushThrows(Queue* queue, int item) {
  const OutOfMemory scope;
  try {
    queue->Push(item);
  } catch (const std::bad_alloc&) {
    return true;
  }
  return false;
}

// A ShardedFifo in the clothes of a deque.
struct Fifo {
  template <typename T>
  class Of {
   public:
    explicit Of(std::int64_t = 0, std::int64_t = 0) : queue_(1) {}
    void Push(T item) { queue_.Push(item, 0, 0); }
    bool Pop(T* item) {
      const StealResult<T> found = queue_.TryPop(0);
      *item = found.item;
      return found.status == StealStatus::kStolen;
    }

   private:
    ShardedFifo<T> queue_;
  };
};

template <typename Kind>
class DequeMemoryTest : public testing::Test {};

using Kinds = testing::Types<ChaseLev, Locked, PoliteSplit<DequeAtomics>, Fifo>;
TYPED_TEST_SUITE(DequeMemoryTest, Kinds);

TYPED_TEST(DequeMemoryTest, AFirstPushWithoutMemoryChangesNothing) {
  typename TypeParam::template Of<int> deque;
  int item = 0;
  EXPECT_TRUE(PushThrows(&deque, 1));
  EXPECT_FALSE(deque.Pop(&item));
  EXPECT_TRUE(PushThrows(&deque, 1));
  deque.Push(2);
  EXPECT_TRUE(deque.Pop(&item));
  EXPECT_EQ(item, 2);
  EXPECT_FALSE(deque.Pop(&item));
}

// As many as fit are pushed without memory; the one that does not fit leaves the
// deque as it was, however often it is tried.
TYPED_TEST(DequeMemoryTest, AGrowthWithoutMemoryChangesNothing) {
  typename TypeParam::template Of<int> deque(0, 8);
  deque.Push(0);
  int pushed = 1;
  while (!PushThrows(&deque, pushed)) ++pushed;
  EXPECT_GE(pushed, 6);
  EXPECT_TRUE(PushThrows(&deque, 1000));
  EXPECT_TRUE(PushThrows(&deque, 1000));
  deque.Push(pushed++);
  int sum = 0;
  int item = 0;
  for (int i = 0; i < pushed; ++i) {
    ASSERT_TRUE(deque.Pop(&item));
    sum += item;
  }
  EXPECT_EQ(sum, pushed * (pushed - 1) / 2);
  EXPECT_FALSE(deque.Pop(&item));
}

TYPED_TEST(DequeMemoryTest, RoomIsUsedAgainWithoutMemory) {
  typename TypeParam::template Of<int> deque(0, 4);
  deque.Push(0);
  int item = 0;
  ASSERT_TRUE(deque.Pop(&item));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_FALSE(PushThrows(&deque, i));
    ASSERT_FALSE(PushThrows(&deque, i));
    ASSERT_TRUE(deque.Pop(&item));
    ASSERT_TRUE(deque.Pop(&item));
  }
}

// Items that can only be moved would be gone if Push took them before it has room.
template <typename Push>
void ExpectThatWhatDoesNotFitStays(const Push& push) {
  for (bool threw = false; !threw;) {
    auto item = std::make_unique<int>(1);
    const int* const address = item.get();
    const OutOfMemory scope;
    try {
      push(std::move(item));
    } catch (const std::bad_alloc&) {
      threw = true;
      EXPECT_EQ(item.get(), address);  // NOLINT(bugprone-use-after-move)
    }
  }
}

TEST(LockedDequeMemoryTest, AnItemThatDoesNotFitStaysWhereItWas) {
  LockedDeque<std::unique_ptr<int>> deque;
  const auto push = [&](std::unique_ptr<int>&& item) { deque.Push(std::move(item)); };
  ExpectThatWhatDoesNotFitStays(push);
  deque.Push(std::make_unique<int>(1));
  ExpectThatWhatDoesNotFitStays(push);
}

TEST(ShardedFifoMemoryTest, AnItemThatDoesNotFitStaysWhereItWas) {
  ShardedFifo<std::unique_ptr<int>> queue(1);
  const auto push = [&](std::unique_ptr<int>&& item) { queue.Push(std::move(item), 0, 0); };
  ExpectThatWhatDoesNotFitStays(push);
  queue.Push(std::make_unique<int>(1), 0, 0);
  ExpectThatWhatDoesNotFitStays(push);
}

TYPED_TEST(DequeMemoryTest, DestructionFreesEverything) {
  const std::int64_t before = live_allocations;
  {
    typename TypeParam::template Of<int> deque(0, 2);
    for (int i = 0; i < 1000; ++i) deque.Push(i);
    EXPECT_GT(live_allocations, before);
  }
  EXPECT_EQ(live_allocations, before);
}

}  // namespace
}  // namespace filch
