// StealResult: what a thief brings home.
//
// "Nothing there" and "somebody was faster" are different answers: after kLost
// there may well be work left, so a thread that decides whether to sleep must
// not take one for the other.
//
//   StealResult<Task*> loot = deque.Steal();
//   if (loot.status == StealStatus::kStolen) Run(loot.item);
#ifndef FILCH_DEQUE_STEAL_RESULT_H_
#define FILCH_DEQUE_STEAL_RESULT_H_

#include <cstdint>

namespace filch {

enum class StealStatus {
  kStolen,   // the item is the caller's, and nobody else gets it
  kEmpty,    // at some instant of the call there was nothing to steal
  kLost,     // another thread changed the deque meanwhile; trying again may succeed
  kRefused,  // the caller's predicate said no to the item that was next
};

// `item` and `meta` mean something only if `status` is kStolen.
template <typename T>
struct [[nodiscard]] StealResult {
  StealStatus status = StealStatus::kEmpty;
  T item{};
  std::uint64_t meta = 0;
};

}  // namespace filch

#endif  // FILCH_DEQUE_STEAL_RESULT_H_
