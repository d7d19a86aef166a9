// Wanted: whether somebody should come to an arena, and how many are on the way.
//
// Whoever has work for others calls; if somebody is coming already, that is
// enough, because whoever comes answers first and looks at everything after that.
// Who has work for several may call although somebody is coming.  Those who come are
// counted, and the count is never too high; too low it is if somebody else has
// answered in the place of one, or one could not be had.  Then somebody is called
// whom nobody needs.
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
  // False: so many are coming already.
  bool Call(std::uint32_t most = 1) {
    const auto call = [most](std::uint32_t word) {
      return word >= most * kComing ? word : (word & ~kNote) + kComing;
    };
    return Change(call) < most * kComing;
  }

  // Nobody was free to come, or who was called does not: the next one that
  // becomes free is wanted, whoever else is coming.  False: nobody was coming.
  bool TakeBack() {
    return Change([](std::uint32_t word) { return word < kComing ? word : kNote; }) >= kComing;
  }

  // Somebody arrived, or found that it cannot come, and looks after that.  True:
  // it was wanted.
  bool Answer() {
    const auto answer = [](std::uint32_t word) {
      return word < kComing ? kNobody : word - kComing;
    };
    return Change(answer) != kNobody;
  }

  // The same for somebody who is there already and looks after that; whoever is
  // coming may still come.
  void AnswerNote() {
    std::uint32_t note = kNote;
    word_.compare_exchange_strong(note, kNobody, std::memory_order_seq_cst,  // W3: and then look
                                  std::memory_order_seq_cst);
  }

  // Whether somebody is wanted, or coming.
  bool IsSet() const {
    return word_.load(std::memory_order_seq_cst) != kNobody;  // W3: after announcing the sleep
  }

  // Whether somebody is wanted and nobody is coming.
  bool IsNoted() const {
    return word_.load(std::memory_order_seq_cst) == kNote;  // W3: after P7's note was taken
  }

  // Whether somebody was called who has not arrived.
  bool IsComing() const {
    return word_.load(std::memory_order_seq_cst) >= kComing;  // W3: after the claim, or last search
  }

  // How many; a hint.
  int ApproximateComing() const {
    return static_cast<int>(word_.load(std::memory_order_relaxed) / kComing);  // W3: a hint
  }

  // For those who only report.
  const char* Describe() const {
    switch (word_.load(std::memory_order_relaxed)) {  // W3: a report
      case kNobody:
        return "no worker is wanted";
      case kNote:
        return "a worker is wanted, and none was free";
      default:
        return "a worker was called";
    }
  }

 private:
  static constexpr std::uint32_t kNobody = 0;
  static constexpr std::uint32_t kNote = 1;    // somebody is wanted, and nobody was free to come
  static constexpr std::uint32_t kComing = 2;  // one who was called and will come

  // Makes the word to(word), and returns what it was.
  template <typename To>
  std::uint32_t Change(const To& to) {
    std::uint32_t word = word_.load(std::memory_order_relaxed);  // W3: the exchange tells
    while (!word_.compare_exchange_strong(word, to(word),
                                          std::memory_order_seq_cst,  // W3: then who could, or look
                                          std::memory_order_relaxed)) {
    }
    return word;
  }

  typename Atomics::template Atomic<std::uint32_t> word_{kNobody};
};

using Wanted = BasicWanted<>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_WANTED_H_
