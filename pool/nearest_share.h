// NearestShare: what float makes of size * right / (left + right), rounded to the nearest integer,
// in integers.
//
// Ranges are cut in proportion by that arithmetic, and programs see where.  Threads that cut the
// same range must agree on it, and they may round differently (fesetround); nor do all processors
// keep intermediate results in float.
//
// A function; any thread.
#ifndef FILCH_POOL_NEAREST_SHARE_H_
#define FILCH_POOL_NEAREST_SHARE_H_

#include <cstdint>

namespace filch {
namespace pool_internal {

// A number as a float has it: of 24 bits, the nearest one, of two the even one.
struct Rounded {
  // That of value * 2^exponent, or of a little more.
  static constexpr Rounded Of(std::uint64_t value, int exponent, bool more = false) {
    constexpr int kBits = 24;
    const int length = value == 0 ? 0 : 64 - __builtin_clzll(value);
    if (length <= kBits) return {value, exponent};
    const int shift = length - kBits;
    const std::uint64_t half = std::uint64_t{1} << (shift - 1);
    const std::uint64_t rest = value & (2 * half - 1);
    const std::uint64_t mantissa = value >> shift;
    const bool up = rest > half || (rest == half && (more || mantissa % 2 != 0));
    return {mantissa + (up ? 1 : 0), exponent + shift};
  }

  constexpr Rounded Times(const Rounded& other) const {
    return Of(mantissa * other.mantissa, exponent + other.exponent);
  }
  // Neither is 0.
  constexpr Rounded By(const Rounded& other) const {
    // As many bits of the quotient as there can be.
    const int shift = __builtin_clzll(mantissa);
    const std::uint64_t dividend = mantissa << shift;
    return Of(dividend / other.mantissa, exponent - shift - other.exponent,
              dividend % other.mantissa != 0);
  }
  // Rounded down, of what is rounded after a half is added; the largest integer if it is more.
  constexpr std::uint64_t Nearest() const {
    if (exponent > 40) return UINT64_MAX;
    if (exponent > 0) return mantissa << exponent;
    if (exponent < -40) return 0;
    const Rounded sum = exponent == 0
                            ? Of(2 * mantissa + 1, -1)
                            : Of(mantissa + (std::uint64_t{1} << (-exponent - 1)), exponent);
    return sum.exponent < 0 ? sum.mantissa >> -sum.exponent : sum.mantissa << sum.exponent;
  }

  std::uint64_t mantissa;
  int exponent;
};

}  // namespace pool_internal

// left + right is neither 0 nor more than its type holds.
constexpr std::uint64_t NearestShare(std::uint64_t size, std::uint64_t left, std::uint64_t right) {
  using pool_internal::Rounded;
  const Rounded product = Rounded::Of(size, 0).Times(Rounded::Of(right, 0));
  if (product.mantissa == 0) return 0;
  return product.By(Rounded::Of(left + right, 0)).Nearest();
}

}  // namespace filch

#endif  // FILCH_POOL_NEAREST_SHARE_H_
