#include "filch/pool/stream_start.h"

#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/slot.h"
#include "filch/pool/stream_help.h"

namespace filch {

namespace {

// What pays with two threads may not with sixteen.
std::uint64_t KindHere(std::uint64_t kind) {
  return kind * 31 + static_cast<std::uint64_t>(pool_internal::CurrentSlot().concurrency);
}

// Else that would be withheld, too, and again and again by streams that follow each other.
bool HasSpawnedNothing() { return pool_internal::CurrentSlot().deque.private_size() <= 0; }

}  // namespace

StreamStart::StreamStart(std::uint64_t kind, std::uint64_t now)
    : kind_(KindHere(kind)),
      begin_(now),
      alone_(pool_internal::LoopHistory::Own().streams.BeginsAlone(kind_)),
      withholding_(pool_internal::CurrentSlot(), alone_ && HasSpawnedNothing(), 2),
      outer_(StreamHelp::OwnVisit()) {}

StreamStart::~StreamStart() { StreamHelp::OwnVisit() = outer_; }

void StreamStart::NoteEnd(std::uint64_t items, std::uint64_t now) const {
  pool_internal::LoopHistory::Own().streams.Note(kind_, alone_, items, now - begin_);
}

}  // namespace filch
