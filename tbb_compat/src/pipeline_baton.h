// PipelineBaton: who begins the next item of a pipeline whose first filter is serial.
//
// One thread at a time holds the baton, and begins an item if there is a token for it. Then it
// puts the baton down, and who has taken an item to its end, or left it at a gate, picks it up
// for the next one: threads that take part in the pipeline pass it on by one word. For those
// that do not, a beginning is on offer while the baton lies there and a token with it: a task,
// one at most, which whoever has nothing else to do comes for.
//
// Any thread.
// Memory ordering: what a thread did before it puts the baton down, or gives back a token, is
// visible to whoever picks the baton up after that (T2).
#ifndef FILCH_TBB_COMPAT_SRC_PIPELINE_BATON_H_
#define FILCH_TBB_COMPAT_SRC_PIPELINE_BATON_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "filch/topology/std_atomics.h"

namespace filch::tbb_compat_internal {

template <typename Atomics = StdAtomics>
class PipelineBaton {
 public:
  // It lies there, with up to kMostTokens tokens, and on offer.
  explicit PipelineBaton(std::size_t tokens) : word_(kToken * tokens | kOffered) {}
  static constexpr std::size_t kMostTokens = std::size_t{1} << 14;

  // How many items have begun; the holder knows, and for others it is a hint.
  std::uint64_t begun() const {
    return word_.load(std::memory_order_relaxed) / kItem;  // T2: orders nothing
  }

  // Picks it up, if it lies there with a token.
  bool Take() {
    return Change([](std::uint64_t& word) { return PickUp(word); });
  }
  // The same by who has come for the offer, which there is no more.
  bool TakeOffered() {
    return Change([](std::uint64_t& word) {
      word &= ~kOffered;
      return PickUp(word);
    });
  }
  // The holder has begun an item, for a token, and puts it down. Whether the caller puts it on
  // offer.
  bool Begun() {
    return Change([](std::uint64_t& word) {
      word += kItem - kToken;
      return PutDown(word);
    });
  }
  // The same if it has not.
  bool PutDown() {
    return Change([](std::uint64_t& word) { return PutDown(word); });
  }
  // An item has ended: gives back its token, and picks the baton up, if it lies there.
  bool Ended() {
    return Change([](std::uint64_t& word) {
      word += kToken;
      return PickUp(word);
    });
  }
  // The same by who has something else to do. Whether the caller puts the baton on offer.
  bool EndedOne() {
    return Change([](std::uint64_t& word) {
      word += kToken;
      return (word & kHeld) == 0 && Offers(word);
    });
  }

 private:
  static constexpr std::uint64_t kHeld = 1;
  static constexpr std::uint64_t kOffered = 2;
  static constexpr std::uint64_t kToken = 4;  // each
  // And each item that has begun.
  static constexpr std::uint64_t kItem = kToken * 2 * kMostTokens;

  static bool HasToken(std::uint64_t word) { return word % kItem >= kToken; }
  static bool PickUp(std::uint64_t& word) {
    if ((word & kHeld) != 0 || !HasToken(word)) return false;
    word |= kHeld;
    return true;
  }
  static bool PutDown(std::uint64_t& word) {
    word -= kHeld;
    return Offers(word);
  }
  // Where it lies.
  static bool Offers(std::uint64_t& word) {
    if ((word & kOffered) != 0 || !HasToken(word)) return false;
    word |= kOffered;
    return true;
  }

  // Returns what `change` returns of the word that it has changed.
  template <typename ToWord>
  bool Change(const ToWord& change) {
    std::uint64_t before = word_.load(std::memory_order_relaxed);  // T2: a guess
    for (;;) {
      std::uint64_t after = before;
      const bool result = change(after);
      if (word_.compare_exchange_weak(before, after,
                                      std::memory_order_acq_rel,     // T2: to itself
                                      std::memory_order_relaxed)) {  // T2: a better guess
        return result;
      }
    }
  }

  typename Atomics::template Atomic<std::uint64_t> word_;
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_PIPELINE_BATON_H_
