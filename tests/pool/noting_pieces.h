// NotingPieces: a loop's body that notes in which pieces its units run, on one thread.
#ifndef FILCH_TESTS_POOL_NOTING_PIECES_H_
#define FILCH_TESTS_POOL_NOTING_PIECES_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/topology/tick_clock.h"

namespace filch {

class NotingPieces final : public LoopBody {
 public:
  explicit NotingPieces(LoopKind& kind) : LoopBody(kind) { pieces_.reserve(1024); }

  void Run(UnitInterval units, void** /*segment*/) override {
    for (const std::uint64_t begin = Ticks(); Ticks() - begin < ticks_;) {
    }
    pieces_.push_back(units);
  }

  // From now on each piece takes so many ticks.
  void set_ticks(std::uint64_t ticks) { ticks_ = ticks; }

  // The pieces since the last call, in their order.
  std::vector<UnitInterval> Take() {
    std::vector<UnitInterval> pieces;
    pieces.reserve(pieces_.capacity());
    return std::exchange(pieces_, std::move(pieces));
  }

 private:
  std::uint64_t ticks_ = 0;
  std::vector<UnitInterval> pieces_;
};

// Whether these pieces are the first `units` units, each once and in their order.
inline bool Cover(const std::vector<UnitInterval>& pieces, std::uint32_t units) {
  std::uint32_t next = 0;
  for (const UnitInterval& piece : pieces) {
    if (piece.begin != next) return false;
    next = piece.end;
  }
  return next == units;
}

inline std::uint32_t Largest(const std::vector<UnitInterval>& pieces) {
  std::uint32_t largest = 0;
  for (const UnitInterval& piece : pieces) largest = std::max(largest, piece.size());
  return largest;
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_NOTING_PIECES_H_
