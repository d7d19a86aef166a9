// StdAtomics: the atomics that lock-free code of filch is built on.
//
// A lock-free class takes its atomics as a template parameter that defaults to
// StdAtomics.  A model test passes its model checker's atomics instead, so that
// the checker explores the very source that ships.
//
//   template <typename T, typename Atomics = StdAtomics>
//   class Queue {
//     typename Atomics::template Atomic<std::int64_t> bottom_{0};
//     typename Atomics::template Plain<std::int64_t> top_cache_{0};
//   };
#ifndef FILCH_TOPOLOGY_STD_ATOMICS_H_
#define FILCH_TOPOLOGY_STD_ATOMICS_H_

#include <atomic>

namespace filch {

struct StdAtomics {
  // Shared between threads; every operation names its memory order.
  template <typename T>
  using Atomic = std::atomic<T>;

  // Not shared without an edge that orders the accesses; a model checker
  // reports a data race where the edge is missing.
  template <typename T>
  using Plain = T;

  // A sequentially consistent fence.
  static void SeqCstFence() {
#if defined(__x86_64__)
    // A locked operation on the own stack orders like mfence and costs a third
    // of it; gcc emits it by itself, clang does not.  ThreadSanitizer sees no
    // fence in either form, and gcc warns of the other one.
    asm volatile("lock; orl $0, -8(%%rsp)" ::: "memory", "cc");
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }
};

}  // namespace filch

#endif  // FILCH_TOPOLOGY_STD_ATOMICS_H_
