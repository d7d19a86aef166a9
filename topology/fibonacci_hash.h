// FibonacciIndex: where a table of a power of two of entries keeps a number or an address.
//
// Numbers that follow each other, and those that lie a power of two apart as addresses do, spread
// evenly; some other distances (Fibonacci numbers are the worst) do not, and every key finds its
// entry all the same.  One multiplication and a shift.
//
// Pure functions.  After D. E. Knuth, "The Art of Computer Programming", volume 3, 6.4.
//
//   Entry& entry = entries_[FibonacciIndex<64>(address)];
#ifndef FILCH_TOPOLOGY_FIBONACCI_HASH_H_
#define FILCH_TOPOLOGY_FIBONACCI_HASH_H_

#include <cstddef>
#include <cstdint>

namespace filch {

// 64 bits of which the upper ones differ where any of the key's do.
constexpr std::uint64_t FibonacciHash(std::uint64_t key) {
  return key * 0x9E3779B97F4A7C15u;  // 2^64 divided by the golden ratio
}

// From 0 to 2^bits - 1, of 1 to 63 bits.
constexpr std::size_t FibonacciIndex(std::uint64_t key, int bits) {
  return static_cast<std::size_t>(FibonacciHash(key) >> (64 - bits));
}

// From 0 to kEntries - 1.
template <std::size_t kEntries>
constexpr std::size_t FibonacciIndex(std::uint64_t key) {
  static_assert(kEntries > 1 && (kEntries & (kEntries - 1)) == 0, "a power of two");
  return FibonacciIndex(key, __builtin_ctzll(kEntries));
}
template <std::size_t kEntries>
std::size_t FibonacciIndex(const void* key) {
  return FibonacciIndex<kEntries>(std::uint64_t{reinterpret_cast<std::uintptr_t>(key)});
}

}  // namespace filch

#endif  // FILCH_TOPOLOGY_FIBONACCI_HASH_H_
