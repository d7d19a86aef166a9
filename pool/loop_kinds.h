// LoopKinds: the kinds of loops of which a thread believes something, because it was so
// several times in a row.
//
// A kind that is believed and then is otherwise has to be so twice as often until it is
// believed again.
//
// A small table, in which kinds displace each other.  Values with neither clock nor
// atomics.  One thread.
//
//   LoopKinds<8, 4> brief;                  // of 8 kinds, after 4 times
//   if (brief.Contains(kind)) ...
//   brief.Note(kind, it_was_short);
#ifndef FILCH_POOL_LOOP_KINDS_H_
#define FILCH_POOL_LOOP_KINDS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "filch/topology/fibonacci_hash.h"

namespace filch {
namespace pool_internal {

template <std::size_t kEntries, std::uint32_t kLeastWanted>
class LoopKinds {
 public:
  // Whether it is believed of this kind.  A kind is the address of any object.
  bool Contains(const void* kind) const {
    const Entry& entry = entries_[FibonacciIndex<kEntries>(kind)];
    return entry.kind == kind && entry.IsBelieved();
  }

  // Whether it was so for a loop of this kind.
  void Note(const void* kind, bool was_so) {
    Entry& entry = entries_[FibonacciIndex<kEntries>(kind)];
    if (entry.kind != kind) entry = Entry{kind};
    if (!was_so) {
      if (entry.IsBelieved()) entry.wanted = std::min(2 * entry.wanted, kMostWanted);
      entry.in_a_row = 0;
    } else if (!entry.IsBelieved()) {
      ++entry.in_a_row;
    }
  }

 private:
  static constexpr std::uint32_t kMostWanted = 64;

  struct Entry {
    bool IsBelieved() const { return in_a_row >= wanted; }

    const void* kind = nullptr;
    std::uint32_t in_a_row = 0;  // so many were so
    std::uint32_t wanted = kLeastWanted;
  };

  std::array<Entry, kEntries> entries_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_KINDS_H_
