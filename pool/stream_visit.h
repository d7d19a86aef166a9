// StreamVisit: what a thread keeps in mind of the stream of items that it helps with
// (StreamHelp), from when it has come until it leaves.
//
// It comes and goes in between, for other tasks and with other items of the stream.  One thread.
// Times are ticks.
#ifndef FILCH_POOL_STREAM_VISIT_H_
#define FILCH_POOL_STREAM_VISIT_H_

#include <cstdint>

namespace filch {

struct StreamVisit {
  // It looks whether it helps after so many items of its own.
  static constexpr std::uint64_t kItems = 16;

  // Which one; null: none.
  const void* stream = nullptr;
  // Since it has looked last: items that it has taken as far as they got.
  std::uint64_t items = 0;
  // How many of the stream had begun then, and when that was.
  std::uint64_t begun = 0;
  std::uint64_t since = 0;
};

}  // namespace filch

#endif  // FILCH_POOL_STREAM_VISIT_H_
