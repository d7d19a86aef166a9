// Abstainers: how many threads wait for tasks that are or may come to be in an arena,
// and do not help.
//
// Such a thread may be the only one that could have run them: while it counts here,
// the arena needs a worker even at a limit of 0 (Arena::InsistsOnWorker).  helping.h is the
// interface, SLEEP.md has the proof.
//
// `Arena` is what it works for:
//
//   bool MayHaveWork();  whether a call for somebody was in vain, or there is work
//   void Recruit();      calls somebody
//
// Any thread.
// Memory ordering: W7 of README.md, sequentially consistent: a worker is called for
// what was pushed before Add, or the call of the push that comes after it sees Any().
#ifndef FILCH_POOL_ABSTAINERS_H_
#define FILCH_POOL_ABSTAINERS_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicAbstainers {
 public:
  template <typename Arena>
  void Add(Arena&& arena) {
    count_.fetch_add(1, std::memory_order_seq_cst);  // W7: then call
    // For what was pushed when nobody could come for it.
    if (arena.MayHaveWork()) arena.Recruit();
  }
  void Remove() {
    count_.fetch_sub(1, std::memory_order_relaxed);  // W7: needs nobody any more
  }
  bool Any() const {
    return count_.load(std::memory_order_seq_cst) > 0;  // W7: before Recruit
  }

 private:
  typename Atomics::template Atomic<std::int32_t> count_{0};
};

using Abstainers = BasicAbstainers<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ABSTAINERS_H_
