#include "filch/pool/proportional_cut.h"

#include <algorithm>
#include <cstdint>

#include "filch/pool/nearest_share.h"

namespace filch {

std::uint64_t ProportionalRight(std::uint64_t size, std::uint64_t left, std::uint64_t right) {
  // What most ask for, and what float makes of it where all is exact.
  constexpr std::uint64_t kExact = std::uint64_t{1} << 24;
  if (left == right && (size | right) < kExact && size * right < kExact) return (size + 1) / 2;
  if (left > UINT64_MAX - right) return ProportionalRight(size, left / 2, right / 2);
  const std::uint64_t items = NearestShare(size, left, right);
  return size < 2 ? items : std::min(std::max<std::uint64_t>(items, 1), size - 1);
}

ProportionalCut::ProportionalCut(std::uint64_t size, std::uint64_t grain, std::uint32_t threads)
    : size_(size),
      grain_(std::max<std::uint64_t>(grain, 1)),
      threads_(std::max<std::uint32_t>(threads, 1)),
      units_(UnitsOf({0, size_, threads_})) {}

ProportionalCut::Part ProportionalCut::Part::Right() const {
  const std::uint32_t others = threads / 2;
  const std::uint64_t items = ProportionalRight(size, threads - others, others);
  return {begin + (size - items), items, others};
}

std::uint32_t ProportionalCut::UnitsOf(const Part& part) const {
  if (!IsCut(part)) return 1;
  // Two threads share at least this, and rounding takes less than the rest.
  if (part.size / part.threads > grain_) return part.threads;
  const Part right = part.Right();
  return UnitsOf(part.LeftOf(right)) + UnitsOf(right);
}

ProportionalCut::Part ProportionalCut::PartOf(std::uint32_t unit) const {
  Part part{0, size_, threads_};
  while (IsCut(part)) {
    const Part right = part.Right();
    const Part left = part.LeftOf(right);
    const std::uint32_t in_left = units_ == threads_ ? left.threads : UnitsOf(left);
    // Nobody foresees which, so there is no branch.
    const bool is_right = unit >= in_left;
    unit -= is_right ? in_left : 0;
    part = {is_right ? right.begin : left.begin, is_right ? right.size : left.size,
            is_right ? right.threads : left.threads};
  }
  return part;
}

}  // namespace filch
