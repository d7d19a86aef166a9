// Isolate: runs a function whose waits run nothing from outside it.
//
// While a thread waits inside f for tasks that f has spawned, it runs tasks that
// were spawned inside f, and tasks spawned by those, and no others.  Use it when
// a lock is held or thread-local state is half changed.  Isolation nests; it
// costs parallelism, so it is never the default.
//
// A thief that may take only some tasks looks at the oldest stealable one of
// each deque, and behind it before it sleeps; what hid a task of its own is
// then where every thief looks.
//
//   filch::Isolate([&] { filch::ParallelFor(0, n, fill); });
//
// Memory ordering: none of its own.  A region is a number that tasks carry along: it says who may
// run them, and orders nothing.
#ifndef FILCH_POOL_ISOLATE_H_
#define FILCH_POOL_ISOLATE_H_

#include <cstdint>
#include <limits>
#include <utility>

#include "filch/pool/current_slot.h"
#include "filch/pool/outer_isolation.h"
#include "filch/pool/slot.h"

namespace filch {

namespace pool_internal {

// A tag that no other region of the process has had.
std::uint64_t NewIsolation();

class IsolationScope {
 public:
  explicit IsolationScope(Slot& slot) : outer_(slot) {
    slot.isolation = NewIsolation();
    slot.isolation_floor = slot.deque.bottom();
  }

 private:
  const OuterIsolation outer_;
};

}  // namespace pool_internal

// A region that is entered again and again, by several threads: what is spawned
// in it belongs together.  Isolate is a region that is entered once.
class Isolation {
 public:
  static Isolation Make() { return Isolation(pool_internal::NewIsolation()); }

 private:
  friend class IsolationReentry;
  explicit Isolation(std::uint64_t tag) : tag_(tag) {}

  std::uint64_t tag_;
};

// The calling thread is in the region while the object lives.  Tasks of the
// region that it has spawned before lie anywhere in its deque, so there is no
// floor; a wait inside that finds none has looked at the whole deque.
class IsolationReentry {
 public:
  explicit IsolationReentry(const Isolation& region)
      : IsolationReentry(region, pool_internal::CurrentSlot()) {}

 private:
  IsolationReentry(const Isolation& region, pool_internal::Slot& slot) : outer_(slot) {
    slot.isolation = region.tag_;
    slot.isolation_floor = std::numeric_limits<std::int64_t>::min();
  }

  const pool_internal::OuterIsolation outer_;
};

// Returns what f returns and throws what f throws.  Any thread.
template <typename F>
auto Isolate(F&& f) -> decltype(f()) {
  const pool_internal::IsolationScope scope(pool_internal::CurrentSlot());
  return std::forward<F>(f)();
}

}  // namespace filch

#endif  // FILCH_POOL_ISOLATE_H_
