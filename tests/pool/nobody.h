// Nobody: a Recruiter without threads, for arenas that belong to no pool.
#ifndef FILCH_TESTS_POOL_NOBODY_H_
#define FILCH_TESTS_POOL_NOBODY_H_

#include <cstdint>

#include "filch/pool/arena.h"
#include "filch/pool/caller.h"

namespace filch {

class Nobody final : public Recruiter {
 public:
  void Recruit(Arena&, std::uint32_t /*most*/, pool_internal::Caller /*caller*/) noexcept override {
  }
  bool CouldCome(Arena&) const override { return false; }
  bool CanCall(Arena&) const override { return false; }
  void ShowNote(Arena&) noexcept override {}
};

}  // namespace filch

#endif  // FILCH_TESTS_POOL_NOBODY_H_
