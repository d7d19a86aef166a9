// BlockList: blocks of memory, each linked to the next in its own memory.
//
// The last that was pushed is the first to be popped. One thread at a time.
#ifndef FILCH_TBB_COMPAT_SRC_BLOCK_LIST_H_
#define FILCH_TBB_COMPAT_SRC_BLOCK_LIST_H_

#include <atomic>
#include <new>
#include <utility>

#include "filch/topology/std_atomics.h"

namespace filch::tbb_compat_internal {

struct BlockLink {
  BlockLink* next;
};

class BlockList {
 public:
  BlockList() = default;
  explicit BlockList(BlockLink* first) : first_(first) {}

  bool is_empty() const { return first_ == nullptr; }
  // Any block of memory that has room for a link.
  void Push(void* block) { first_ = ::new (block) BlockLink{first_}; }
  void* Pop() { return std::exchange(first_, first_->next); }

 private:
  BlockLink* first_ = nullptr;
};

// The same for what many threads push, and one takes, all at once. Any thread.
// Memory ordering: what a thread did before it pushed is visible to who takes the block.
template <typename Atomics = StdAtomics>
class BasicSharedBlockList {
 public:
  bool is_empty() const { return top_.load(std::memory_order_relaxed) == nullptr; }  // P2: a hint
  void Push(void* block) {
    BlockLink* first = top_.load(std::memory_order_relaxed);  // P2: the exchange tells
    auto* const link = ::new (block) BlockLink{first};
    while (!top_.compare_exchange_weak(first, link, std::memory_order_release,  // P2: to TakeAll
                                       std::memory_order_relaxed)) {
      link->next = first;
    }
  }
  BlockLink* TakeAll() {
    return top_.exchange(nullptr, std::memory_order_acquire);  // P2: Push
  }

 private:
  typename Atomics::template Atomic<BlockLink*> top_{nullptr};
};

using SharedBlockList = BasicSharedBlockList<>;

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_BLOCK_LIST_H_
