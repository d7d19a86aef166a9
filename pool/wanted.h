// Wanted: whether somebody should come to an arena, and whether somebody is on
// the way.
//
// There is one call at a time.  Whoever has work for others calls; if somebody
// is coming already, that is enough, because whoever comes answers first and
// looks at everything after that.
//
// Any thread.
// Memory ordering: all read-modify-writes of one word (W3), so a caller whose
// Call finds somebody coming knows that its work is visible to the one who
// answers.
#ifndef FILCH_POOL_WANTED_H_
#define FILCH_POOL_WANTED_H_

#include <atomic>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

template <typename Atomics = StdAtomics>
class BasicWanted {
 public:
  // True: the caller has to see to it that somebody comes, or take the call back.
  // False: somebody does that already.
  bool Call() {
    return word_.exchange(kComing, std::memory_order_seq_cst) != kComing;  // W3: then who could
  }

  // Nobody was free to come, or who was called does not: the next one that
  // becomes free is wanted.  False: nobody was coming.
  bool TakeBack() {
    std::uint32_t coming = kComing;
    return word_.compare_exchange_strong(coming, kWanted,
                                         std::memory_order_seq_cst,  // W3: or Answer
                                         std::memory_order_seq_cst);
  }

  // Somebody arrived, or found that it cannot come, and looks after that.  True:
  // it was wanted.
  bool Answer() {
    return word_.exchange(kNobody, std::memory_order_seq_cst) != kNobody;  // W3: and then look
  }

  // The same for somebody who is there already and looks after that; whoever is
  // coming may still come.
  void AnswerNote() {
    std::uint32_t note = kWanted;
    word_.compare_exchange_strong(note, kNobody, std::memory_order_seq_cst,  // W3: and then look
                                  std::memory_order_seq_cst);
  }

  // Whether somebody is wanted, or coming.
  bool IsSet() const {
    return word_.load(std::memory_order_seq_cst) != kNobody;  // W3: after announcing the sleep
  }

  // Whether somebody is wanted and nobody is coming.
  bool IsNoted() const {
    return word_.load(std::memory_order_seq_cst) == kWanted;  // W3: after P7's note was taken
  }

  // Whether somebody was called who has not arrived.
  bool IsComing() const {
    return word_.load(std::memory_order_seq_cst) == kComing;  // W3: after the claim, or last search
  }

  // For those who only report.
  const char* Describe() const {
    switch (word_.load(std::memory_order_relaxed)) {  // W3: a report
      case kNobody:
        return "no worker is wanted";
      case kWanted:
        return "a worker is wanted, and none was free";
      default:
        return "a worker was called";
    }
  }

 private:
  static constexpr std::uint32_t kNobody = 0;  // nobody is wanted
  static constexpr std::uint32_t kWanted = 1;  // somebody is, and nobody was free to come
  static constexpr std::uint32_t kComing = 2;  // somebody was called and will come

  typename Atomics::template Atomic<std::uint32_t> word_{kNobody};
};

using Wanted = BasicWanted<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WANTED_H_
