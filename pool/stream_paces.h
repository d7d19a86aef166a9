// StreamPaces: how fast streams of items were, by their kind, with one thread at first and with
// several.
//
// A thread that helps with items of nothing finds out that it does not help after some of them
// (StreamHelp), when a short stream is over.  So it is remembered, and the next stream of the
// kind begins as was better, but for one now and then, which finds out whether that has changed.
//
// A small table, in which kinds displace each other.  Values with neither clock nor atomics;
// times are ticks.  One thread.
//
//   const bool alone = paces.BeginsAlone(kind);
//   ... so many items later:
//   paces.Note(kind, alone, items, elapsed);
#ifndef FILCH_POOL_STREAM_PACES_H_
#define FILCH_POOL_STREAM_PACES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "filch/topology/fibonacci_hash.h"

namespace filch {
namespace pool_internal {

class StreamPaces {
 public:
  // With several threads, items that are further apart are long enough for all of them.  Where the
  // processors share no cache items of two serial filters of a microsecond each, handed on at both,
  // were 2.4 us apart, and 1.9 with one thread (two virtual AMD EPYC processors, 2026-11-30).
  static constexpr std::uint64_t kLongItem = 6000;
  // Every so many streams, what was slower is tried again.
  static constexpr std::uint32_t kMostTrusted = 32;

  // Whether the others stay away at first.  A kind is any number, but those of kinds that are
  // used together should differ.
  bool BeginsAlone(std::uint64_t kind) {
    Entry& entry = EntryOf(kind);
    if (entry.together == 0 || entry.together > kLongItem * kUnit) return false;
    if (entry.alone == 0) return true;
    const bool better_alone = entry.alone < entry.together;
    if (++entry.since_trial < kMostTrusted) return better_alone;
    entry.since_trial = 0;
    return !better_alone;
  }

  // A stream of the kind began so, and its items took so long, all in all.
  void Note(std::uint64_t kind, bool alone, std::uint64_t items, std::uint64_t elapsed) {
    if (items == 0) return;
    Entry& entry = EntryOf(kind);
    std::uint64_t& pace = alone ? entry.alone : entry.together;
    const std::uint64_t latest = std::min(elapsed, kForever) * kUnit / items + 1;
    // What took longer may have been interrupted.
    pace = pace == 0 || latest < pace ? latest : (3 * pace + std::min(latest, 2 * pace)) / 4 + 1;
  }

 private:
  static constexpr std::size_t kEntries = 16;
  // Paces are in so many parts of a tick.
  static constexpr std::uint64_t kUnit = 16;
  static constexpr std::uint64_t kForever = std::uint64_t{1} << 40;

  struct Entry {
    std::uint64_t kind = 0;
    // From one item to the next; 0: not known.
    std::uint64_t together = 0;
    std::uint64_t alone = 0;
    std::uint32_t since_trial = 0;
  };

  Entry& EntryOf(std::uint64_t kind) {
    Entry& entry = entries_[FibonacciIndex<kEntries>(kind)];
    if (entry.kind != kind) entry = Entry{kind};
    return entry;
  }

  std::array<Entry, kEntries> entries_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_STREAM_PACES_H_
