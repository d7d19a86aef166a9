// The deques, made alike, so that one test can ask all of them the same.
//
// Each has Push, Pop, Steal; Share makes what the owner has pushed stealable.
#ifndef FILCH_TESTS_DEQUE_DEQUES_UNDER_TEST_H_
#define FILCH_TESTS_DEQUE_DEQUES_UNDER_TEST_H_

#include <cstdint>

#include "filch/deque/chase_lev_deque.h"
#include "filch/deque/deque_atomics.h"
#include "filch/deque/locked_deque.h"
#include "filch/deque/split_deque.h"
#include "filch/deque/steal_result.h"

namespace filch {

// Where everything is stealable at once.
template <template <typename...> class Deque>
struct OpenDeque {
  template <typename T>
  class Of {
   public:
    explicit Of(std::int64_t start_index = 0, std::int64_t initial_capacity = 256)
        : deque_(start_index, initial_capacity) {}

    void Push(T item) { deque_.Push(item); }
    bool Pop(T* item) { return deque_.Pop(item); }
    StealResult<T> Steal() { return deque_.Steal(); }
    void Share() {}

   private:
    Deque<T> deque_;
  };
};

struct ChaseLev : OpenDeque<ChaseLevDeque> {};
struct Locked : OpenDeque<LockedDeque> {};

// The owner serves requests after each Push.
template <typename Atomics>
struct PoliteSplit {
  template <typename T>
  class Of {
   public:
    explicit Of(std::int64_t start_index = 0, std::int64_t initial_capacity = 256)
        : deque_(start_index, initial_capacity) {}

    void Push(T item) {
      deque_.Push(item);
      if (deque_.exposure_requested()) deque_.Expose();
    }
    bool Pop(T* item) {
      std::uint64_t meta = 0;
      return deque_.Pop(item, &meta);
    }
    StealResult<T> Steal() { return deque_.Steal(); }
    void Share() { deque_.ExposeAll(); }

   protected:
    SplitDeque<T, Atomics> deque_;
  };
};

// The owner never exposes; a thief that finds nothing forces it to.
template <typename Atomics>
struct ForcedSplit {
  template <typename T>
  class Of : public PoliteSplit<Atomics>::template Of<T> {
   public:
    using PoliteSplit<Atomics>::template Of<T>::Of;

    void Push(T item) { this->deque_.Push(item); }
    StealResult<T> Steal() {
      const StealResult<T> loot = this->deque_.Steal();
      if (loot.status != StealStatus::kEmpty || !this->deque_.ForceExposure()) return loot;
      return this->deque_.Steal();
    }
    void Share() {}
  };
};

// A kernel without membarrier: the two fences do not pair up.
struct WithoutMembarrier : DequeAtomics {
  static bool IsAsymmetric() { return false; }
  static void LightFence() {}
  static void HeavyFence() {}
};

}  // namespace filch

#endif  // FILCH_TESTS_DEQUE_DEQUES_UNDER_TEST_H_
