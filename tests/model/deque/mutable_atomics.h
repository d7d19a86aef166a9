// MutableAtomics: the model checker's atomics, with one operation weakened at
// will.
//
// Every operation knows the line of the production source it stands on.  A
// Mutation names lines; an operation on one of them is carried out with relaxed
// order, or, if it is a fence, not at all.  So one program can ask of every
// ordering edge whether some model misses it.  Without a mutation it checks the
// source as it is.
//
// Include it last, as relacy_atomics.h.
#ifndef FILCH_TESTS_MODEL_DEQUE_MUTABLE_ATOMICS_H_
#define FILCH_TESTS_MODEL_DEQUE_MUTABLE_ATOMICS_H_

#include <cstring>

#include "tests/model/relacy_atomics.h"

namespace filch {
namespace model {

// Where to weaken: the lines [first, last] of the file with this name.
struct Mutation {
  const char* file = nullptr;
  int first_line = 0;
  int last_line = 0;
};

inline Mutation& ActiveMutation() {
  static Mutation mutation;
  return mutation;
}

struct Place {
  const char* file;
  int line;

  bool IsMutated() const {
    const Mutation& mutation = ActiveMutation();
    if (mutation.file == nullptr || line < mutation.first_line || line > mutation.last_line) {
      return false;
    }
    const char* slash = std::strrchr(file, '/');
    return std::strcmp(slash == nullptr ? file : slash + 1, mutation.file) == 0;
  }
  std::memory_order Weaken(std::memory_order order) const {
    return IsMutated() ? std::memory_order_relaxed : order;
  }
};

#define FILCH_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

template <typename T>
class MutableAtomic {
 public:
  MutableAtomic() = default;
  explicit MutableAtomic(T value) : atomic_(value) {}

  T load(std::memory_order order, FILCH_PLACE) const {
    return atomic_.load(Place{file, line}.Weaken(order));
  }
  void store(T value, std::memory_order order, FILCH_PLACE) {
    atomic_.store(value, Place{file, line}.Weaken(order));
  }
  T exchange(T value, std::memory_order order, FILCH_PLACE) {
    return atomic_.exchange(value, Place{file, line}.Weaken(order));
  }
  T fetch_add(T value, std::memory_order order, FILCH_PLACE) {
    return atomic_.fetch_add(value, Place{file, line}.Weaken(order));
  }
  T fetch_sub(T value, std::memory_order order, FILCH_PLACE) {
    return atomic_.fetch_sub(value, Place{file, line}.Weaken(order));
  }
  T fetch_or(T value, std::memory_order order, FILCH_PLACE) {
    return atomic_.fetch_or(value, Place{file, line}.Weaken(order));
  }
  T fetch_and(T value, std::memory_order order, FILCH_PLACE) {
    return atomic_.fetch_and(value, Place{file, line}.Weaken(order));
  }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, FILCH_PLACE) {
    return atomic_.compare_exchange_strong(expected, desired, Place{file, line}.Weaken(success),
                                           failure);
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure, FILCH_PLACE) {
    return atomic_.compare_exchange_weak(expected, desired, Place{file, line}.Weaken(success),
                                         failure);
  }

 private:
  Atomic<T> atomic_;
};

struct MutableAtomics {
  template <typename T>
  using Atomic = MutableAtomic<T>;
  template <typename T>
  using Plain = model::Plain<T>;

  static void SeqCstFence(FILCH_PLACE) {
    if (!Place{file, line}.IsMutated()) RelacyAtomics::SeqCstFence();
  }

  // What membarrier promises, in the words of the language.
  static bool IsAsymmetric() { return true; }
  static void LightFence(FILCH_PLACE) { SeqCstFence(file, line); }
  static void HeavyFence(FILCH_PLACE) { SeqCstFence(file, line); }

  static void Pause(unsigned) { rl::yield(1, $); }
};

// A kernel without membarrier: the fences do nothing at all.
struct SymmetricAtomics : MutableAtomics {
  static bool IsAsymmetric() { return false; }
  static void LightFence() {}
  static void HeavyFence() {}
};

#undef FILCH_PLACE

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_DEQUE_MUTABLE_ATOMICS_H_
