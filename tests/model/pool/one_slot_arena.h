// OneSlotArena: what is left of an arena whose only slot is taken and left.
#ifndef FILCH_TESTS_MODEL_POOL_ONE_SLOT_ARENA_H_
#define FILCH_TESTS_MODEL_POOL_ONE_SLOT_ARENA_H_

#include <cstdint>

#include "filch/pool/vacancy.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

struct OneSlotArena {
  struct Deque {
    enum class Contents { kEmpty };
    static void ExposeAll() {}
    static Contents Inspect() { return Contents::kEmpty; }
  };
  struct Slot {
    Deque deque;
    MutableAtomic<bool> occupied;
  };
  // The protocol of searchers has nothing to do here.
  struct Idle {
    void LeaveBehind() {}
    template <typename Host>
    void NotifySpawned(Host&&) {}
    template <typename Host>
    void ForwardWake(Host&&) {}
  };

  Slot slot;
  Idle idle;
  pool_internal::BasicVacancy<PoolModelAtomics> vacancy;

  bool Occupy() {
    return !slot.occupied.load(std::memory_order_relaxed) &&
           !slot.occupied.exchange(true, std::memory_order_acquire);
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_ONE_SLOT_ARENA_H_
