// LoopPaces: how long the last loops of a kind took, by which the next one is cut.
//
// A loop of some microseconds is worth the help of threads that are awake, but is half
// over when its first units have shown that.  So each thread remembers the kinds of loops
// that took so long several times in a row: such a loop is shared from its first unit on,
// in pieces that are neither so short that they cost more than they do, nor so long that
// somebody waits for the last one.
//
// Whether that pays is the machine's to say: of two processors one sees what the other wrote
// after 50 ns or after 250, and on the same virtual machine this changes within a minute
// (AMD EPYC, 2026-11-25).  So a kind of loops that were not over sooner than alone has to
// take so long twice as often until it is shared again, but for those that take much longer,
// and how long it takes alone is found out anew now and then.
//
// A small table, in which kinds displace each other.  Values with neither clock nor
// atomics; times are ticks, about nanoseconds.  One thread.
#ifndef FILCH_POOL_LOOP_PACES_H_
#define FILCH_POOL_LOOP_PACES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "filch/pool/loop_kind.h"
#include "filch/pool/many_threads.h"
#include "filch/topology/fibonacci_hash.h"

namespace filch {
namespace pool_internal {

class LoopPaces {
 public:
  // How a loop is shared.
  struct Cut {
    std::uint32_t piece;  // so many units each; 0: the loop had better begin alone
    std::uint64_t alone;  // it would take so long on one thread
  };

  // How to share `units` units of this kind among `threads` awake threads.  A kind is the
  // address of any object.
  Cut CutOf(const void* kind, std::uint32_t units, int threads) const {
    const Entry& entry = entries_[FibonacciIndex<kEntries>(kind)];
    const std::uint64_t alone = entry.pace * units >> kShift;
    if (entry.kind != kind || entry.in_a_row < entry.WantedFor(alone)) return {0, 0};
    const std::uint64_t least = threads < kManyThreads ? kLeast : kLeastForMany;
    if (alone < least || alone > MostFor(threads)) return {0, alone};
    const auto pieces = std::min<std::uint64_t>(
        alone / kPiece, kPiecesPerThread * static_cast<std::uint32_t>(threads));
    return {std::max(static_cast<std::uint32_t>(units / pieces), std::uint32_t{1}), alone};
  }

  // A loop of `units` units of this kind for `threads` threads took, or would have taken, so long
  // on one.
  void NoteAlone(const void* kind, std::uint32_t units, std::uint64_t elapsed, int threads) {
    Entry& entry = entries_[FibonacciIndex<kEntries>(kind)];
    if (elapsed < kLeast || elapsed > MostFor(threads)) {
      // Most loops are of a kind that was never worth it: nothing is written.
      if (entry.kind == kind) entry.in_a_row = 0;
      return;
    }
    if (entry.kind != kind) entry = Entry{kind};
    const std::uint64_t pace = (elapsed << kShift) / units;
    if (entry.in_a_row == 0 || pace < entry.pace) {
      entry.pace = pace;
    } else {
      // The thread may have been interrupted.
      entry.pace += std::min(pace - entry.pace, entry.pace) / 8;
    }
    if (entry.in_a_row < entry.wanted) ++entry.in_a_row;
  }
  // One that was shared took `elapsed`, and would have taken `alone` (CutOf).  Where nobody
  // came, who was called may still be on the way.
  void NoteShared(const void* kind, std::uint64_t alone, std::uint64_t elapsed, bool others_came) {
    Entry& entry = entries_[FibonacciIndex<kEntries>(kind)];
    if (entry.kind != kind) return;
    if (others_came && elapsed >= alone) {
      // Who has just come finds neither code nor data in its caches: that once is no proof.
      entry.failed = !entry.failed && elapsed / 2 < alone;
      if (entry.failed) return;
      entry.in_a_row = 0;
      entry.shared = 0;
      entry.wanted = std::min(2 * entry.WantedFor(alone), kMostWanted);
      entry.in_vain = std::max(entry.in_vain, alone);
      return;
    }
    if (others_came && elapsed < alone - alone / 8) {
      entry.failed = false;
      if (!entry.IsLong(alone)) {
        entry.wanted = std::max(entry.wanted - (entry.wanted + 7) / 8, kLeastWanted);
      }
    }
    if (++entry.shared < kFresh) return;
    entry.in_a_row = 0;
    entry.shared = 0;
  }

  // What is brief is not worth it.
  static constexpr std::uint64_t kLeast = LoopKind::kBrief;
  // Longer ones lose next to nothing by their first units, and uneven ones are shared better
  // in batches that follow the time they take.
  static constexpr std::uint64_t kMost = 700000;
  // For several threads more is handed over (loops of 64 units of 0.1 us: 16 virtual Intel Xeon
  // processors, 2026-11-27), and each has less.
  static constexpr std::uint64_t kLeastForMany = 10000;
  static constexpr std::uint64_t kMostForMany = 8 * kMost;

 private:
  static constexpr std::size_t kEntries = 16;
  static constexpr std::uint32_t kLeastWanted = 2;
  static constexpr std::uint32_t kMostWanted = 512;
  // So many are shared until it is found out anew what they take alone: one in a hundred.
  static constexpr std::uint32_t kFresh = 200;
  static constexpr int kShift = 12;
  // A piece is a join, and at its end one thread waits for another's.
  static constexpr std::uint64_t kPiece = 500;
  static constexpr std::uint64_t kPiecesPerThread = 32;

  static constexpr std::uint64_t MostFor(int threads) {
    return threads < kManyThreads ? kMost : kMostForMany;
  }

  struct Entry {
    // Whether what was shared in vain says nothing of a loop that takes so long alone.
    bool IsLong(std::uint64_t alone) const { return alone / 2 > in_vain; }
    std::uint32_t WantedFor(std::uint64_t alone) const {
      return IsLong(alone) ? kLeastWanted : wanted;
    }

    const void* kind = nullptr;
    std::uint64_t pace = 0;      // of a unit alone, as a multiple of 2^-kShift
    std::uint32_t in_a_row = 0;  // so many took long enough
    std::uint32_t wanted = kLeastWanted;
    std::uint64_t in_vain = 0;  // the longest that was shared in vain, alone
    std::uint32_t shared = 0;   // since then
    bool failed = false;        // the last one that was shared was not over sooner
  };

  std::array<Entry, kEntries> entries_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_PACES_H_
