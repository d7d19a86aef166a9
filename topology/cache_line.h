// kCacheLineSize: how far apart data must lie so that threads do not disturb
// each other.
//
// Use it with alignas on anything that one thread writes while another thread
// reads or writes its neighbour.  It is a compile-time constant of the target
// architecture, not a measurement of the machine the program runs on.
#ifndef FILCH_TOPOLOGY_CACHE_LINE_H_
#define FILCH_TOPOLOGY_CACHE_LINE_H_

#include <cstddef>

namespace filch {

// Bytes.  128 where the hardware fetches lines in pairs (the adjacent-line
// prefetcher of x86-64; Apple's and some server AArch64 cores have 128-byte
// lines); 64 elsewhere.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__)
inline constexpr std::size_t kCacheLineSize = 128;
#else
inline constexpr std::size_t kCacheLineSize = 64;
#endif

}  // namespace filch

#endif  // FILCH_TOPOLOGY_CACHE_LINE_H_
