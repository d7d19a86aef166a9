// LoopPaces: how long the last loops of a kind took, by which the next one is cut.
//
// A loop of some microseconds is worth the help of threads that are awake, but is half
// over when its first units have shown that.  So each thread remembers the kinds of loops
// that took so long several times in a row: such a loop is shared from its first unit on,
// in pieces that are neither so short that they cost more than they do, nor so long that
// somebody waits for the last one.  A kind of loops that others have held up has to take so
// long twice as often until it is shared again.
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
#include "filch/pool/loop_kinds.h"

namespace filch {
namespace pool_internal {

class LoopPaces {
 public:
  // How many of `units` units of this kind, for `threads` awake threads, a piece should
  // have; 0: the loop had better begin alone.  A kind is the address of any object.
  std::uint32_t Piece(const void* kind, std::uint32_t units, int threads) const {
    const Entry& entry = entries_[IndexOfKind<kEntries>(kind)];
    if (entry.kind != kind || entry.in_a_row < entry.wanted) return 0;
    const std::uint64_t expected = entry.pace * units >> kShift;
    if (expected < kLeast || expected > kMost) return 0;
    const auto pieces = std::min<std::uint64_t>(
        expected / kPiece, kPiecesPerThread * static_cast<std::uint32_t>(threads));
    return std::max(static_cast<std::uint32_t>(units / pieces), std::uint32_t{1});
  }

  // A loop of `units` units of this kind took, or would have taken, so long on one thread.
  void Note(const void* kind, std::uint32_t units, std::uint64_t elapsed) {
    Entry& entry = entries_[IndexOfKind<kEntries>(kind)];
    if (elapsed < kLeast || elapsed > kMost) {
      // Most loops are of a kind that was never worth it: nothing is written.
      if (entry.kind == kind) entry.in_a_row = 0;
      return;
    }
    if (entry.kind != kind) entry = Entry{kind};
    entry.pace = (elapsed << kShift) / units;
    if (entry.in_a_row < entry.wanted) ++entry.in_a_row;
  }
  // The same of one that was shared and took `elapsed`, and `alone` otherwise, by its first
  // piece.
  void NoteShared(const void* kind, std::uint32_t units, std::uint64_t alone,
                  std::uint64_t elapsed) {
    Entry& entry = entries_[IndexOfKind<kEntries>(kind)];
    if (entry.kind == kind && elapsed / 3 > alone / 2) {
      // Others hold it up: the machine is full, or who waits for them has to be woken.
      entry.in_a_row = 0;
      entry.wanted = std::min(2 * entry.wanted, kMostWanted);
      return;
    }
    if (entry.kind == kind && elapsed < alone) {
      entry.wanted = std::max(entry.wanted / 2, kLeastWanted);
    }
    // It is not over sooner than its first piece lets expect, unless others help.
    Note(kind, units, std::max(alone, elapsed));
  }

  // What is brief is not worth it.
  static constexpr std::uint64_t kLeast = LoopKind::kBrief;
  // Longer ones lose next to nothing by their first units, and uneven ones are shared better
  // in batches that follow the time they take.
  static constexpr std::uint64_t kMost = 700000;

 private:
  static constexpr std::size_t kEntries = 8;
  static constexpr std::uint32_t kLeastWanted = 2;
  static constexpr std::uint32_t kMostWanted = 512;
  static constexpr int kShift = 12;
  // A piece is a join, and at its end one thread waits for another's.
  static constexpr std::uint64_t kPiece = 500;
  static constexpr std::uint64_t kPiecesPerThread = 32;

  struct Entry {
    const void* kind = nullptr;
    std::uint64_t pace = 0;      // of a unit, as a multiple of 2^-kShift
    std::uint32_t in_a_row = 0;  // so many took long enough
    std::uint32_t wanted = kLeastWanted;
  };

  std::array<Entry, kEntries> entries_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_PACES_H_
