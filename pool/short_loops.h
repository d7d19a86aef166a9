// ShortLoops: which loops of few units look like nothing, by what they did before.
//
// A loop of few units is shared from its first unit on, for that may be a long one.  But
// a thread that has to be woken for it costs more than many a loop, and one that is awake
// makes a loop of 50 ns one of half a microsecond.  So each thread remembers the kinds of
// loops that looked short several times in a row: such a loop begins alone (LoopTrial).
// A kind that is believed and turns out long has to look short twice as often until it is
// believed again.
//
// A small table, in which kinds displace each other.  Values with neither clock nor
// atomics.  One thread.
#ifndef FILCH_POOL_SHORT_LOOPS_H_
#define FILCH_POOL_SHORT_LOOPS_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace filch {
namespace pool_internal {

class ShortLoops {
 public:
  // Whether the last loops of this kind were short.  A kind is the address of any object.
  bool Contains(const void* kind) const {
    const Entry& entry = entries_[IndexOf(kind)];
    return entry.kind == kind && entry.IsBelieved();
  }

  // Whether a loop of this kind was.
  void Note(const void* kind, bool was_short) {
    Entry& entry = entries_[IndexOf(kind)];
    if (entry.kind != kind) entry = Entry{kind};
    if (!was_short) {
      if (entry.IsBelieved()) entry.wanted = std::min(2 * entry.wanted, kMostWanted);
      entry.in_a_row = 0;
    } else if (!entry.IsBelieved()) {
      ++entry.in_a_row;
    }
  }

 private:
  static constexpr std::size_t kEntries = 8;
  static constexpr std::uint32_t kLeastWanted = 4;
  static constexpr std::uint32_t kMostWanted = 64;

  struct Entry {
    bool IsBelieved() const { return in_a_row >= wanted; }

    const void* kind = nullptr;
    std::uint32_t in_a_row = 0;  // so many were short
    std::uint32_t wanted = kLeastWanted;
  };

  // The objects may be bytes that follow each other.
  static std::size_t IndexOf(const void* kind) {
    return reinterpret_cast<std::uintptr_t>(kind) % kEntries;
  }

  std::array<Entry, kEntries> entries_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SHORT_LOOPS_H_
