// StreamStart: whether a stream of items begins with one thread, and what becomes of that.
//
// For a stream that the calling thread starts: it remembers what others like it took
// (StreamPaces).  Of what it spawns for one that begins with one thread others get nothing for some
// microseconds (Withholding), unless it had spawned something before: to a stream that is over by
// then nobody comes.  Pipelines of 3, 8 and 16 items that took 1.5, 3.1 and 6.2 us where somebody
// looked for work, and came, take 1.0, 2.2 and 5.4 (two virtual AMD EPYC processors, 2026-12-01).
//
// When it is over, the thread is back at the stream, if any, from which it has started this one.
//
// One thread, while it lives.  Times are ticks.
#ifndef FILCH_POOL_STREAM_START_H_
#define FILCH_POOL_STREAM_START_H_

#include <cstdint>

#include "filch/pool/stream_visit.h"
#include "filch/pool/withholding.h"
#include "filch/topology/tick_clock.h"

namespace filch {

class StreamStart {
 public:
  // `kind` stands for streams that have the same to do.  Throws std::bad_alloc, at a thread's first
  // one.
  explicit StreamStart(std::uint64_t kind, std::uint64_t now = Ticks());
  ~StreamStart();
  StreamStart(const StreamStart&) = delete;
  StreamStart& operator=(const StreamStart&) = delete;

  // Whether the others had better stay away at first (StreamHelp).
  bool alone() const { return alone_; }

  // The stream is over, and was not cut short.
  void NoteEnd(std::uint64_t items, std::uint64_t now = Ticks()) const;

 private:
  const std::uint64_t kind_;
  const std::uint64_t begin_;
  const bool alone_;
  const pool_internal::Withholding withholding_;
  const StreamVisit outer_;
};

}  // namespace filch

#endif  // FILCH_POOL_STREAM_START_H_
