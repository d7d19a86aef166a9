// CountingRecruiter: as if there were workers; it counts how often they are called.
#ifndef FILCH_TESTS_POOL_COUNTING_RECRUITER_H_
#define FILCH_TESTS_POOL_COUNTING_RECRUITER_H_

#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/caller.h"

namespace filch {

class CountingRecruiter final : public Recruiter {
 public:
  void Recruit(Arena& arena, std::uint32_t most,
               pool_internal::Caller /*caller*/) noexcept override {
    if (arena.wanted().Call(most)) ++calls;
  }
  bool CouldCome(Arena&) const override { return true; }
  bool CanCall(Arena&) const override { return can_call; }
  void ShowNote(Arena& arena) noexcept override { shown += arena.wanted().IsNoted() ? 1 : 0; }

  bool can_call = true;
  int calls = 0;
  int shown = 0;
};

}  // namespace filch

#endif  // FILCH_TESTS_POOL_COUNTING_RECRUITER_H_
