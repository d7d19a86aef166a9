// PipelineTurns: which token may go through a serial filter.
//
// Tokens go through by their numbers, one at a time. One that comes before its turn is left
// in the place of its number; who has gone through takes the next token from its place, or
// leaves the turn there. That is one read-modify-write each, and nobody waits.
//
// Numbers share a place if they lie as far apart as there are places, of which there are as
// many as tokens: who comes with the later number has begun after one of the tokens from the
// earlier number on has ended, which was when the earlier one had gone through.
//
// Any thread.
// Memory ordering: what a token's thread did before Enter or Leave is visible to whoever has
// the token, or the turn, after that (G1). Numbers that are drawn here follow the ends of
// tokens as those do that the tokens bring (G2).
#ifndef FILCH_TBB_COMPAT_SRC_PIPELINE_TURNS_H_
#define FILCH_TBB_COMPAT_SRC_PIPELINE_TURNS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "filch/topology/std_atomics.h"

namespace filch::tbb_compat_internal {

template <typename Token, typename Atomics = StdAtomics>
class PipelineTurns {
 public:
  // There are at most `tokens` at a time.
  explicit PipelineTurns(std::size_t tokens) : places_(PowerOfTwoFrom(tokens)) {
    Place(0).store(Turn(), std::memory_order_relaxed);  // G1: nobody knows it yet
  }
  PipelineTurns(const PipelineTurns&) = delete;
  PipelineTurns& operator=(const PipelineTurns&) = delete;

  // The number of the next token that has none.
  std::uint64_t DrawNumber() {
    return numbers_.fetch_add(1, std::memory_order_acq_rel);  // G2: after the ends of others
  }

  // Whether it is the turn of the token with this number. If not, the token is left here, and
  // belongs to who takes it.
  bool Enter(Token& token, std::uint64_t number) {
    AtomicToken& place = Place(number);
    if (place.exchange(&token, std::memory_order_acq_rel) != Turn()) return false;  // G1: enters
    place.store(Turn(), std::memory_order_relaxed);  // G1: nobody looks before Leave
    return true;
  }

  // The token with this number has gone through: takes the next one, if it was left here. It
  // is its turn.
  Token* Leave(std::uint64_t number) {
    Place(number).store(nullptr, std::memory_order_relaxed);  // G1: before the next turn
    return Place(number + 1).exchange(Turn(), std::memory_order_acq_rel);  // G1: leaves
  }

  // Takes a token that was left here, when nobody goes through any more; null: there is none.
  Token* TakeRest() {
    for (AtomicToken& place : places_) {
      Token* const token = place.exchange(nullptr, std::memory_order_relaxed);  // G1: the last one
      if (token != nullptr && token != Turn()) return token;
    }
    return nullptr;
  }

 private:
  using AtomicToken = typename Atomics::template Atomic<Token*>;

  static Token* Turn() { return reinterpret_cast<Token*>(std::uintptr_t{1}); }
  static std::size_t PowerOfTwoFrom(std::size_t n) {
    std::size_t power = 1;
    while (power < n) power *= 2;
    return power;
  }
  AtomicToken& Place(std::uint64_t number) { return places_[number & (places_.size() - 1)]; }

  // Empty, with the turn, or with a token that waits for it.
  std::vector<AtomicToken> places_;
  typename Atomics::template Atomic<std::uint64_t> numbers_{0};
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_PIPELINE_TURNS_H_
