#include <tbb/blocked_range.h>

#include "tests/conformance/standard_headers_test.h"

bool BehindARange() {
  const std::uint8_t byte = std::numeric_limits<std::uint8_t>::max();
  std::atomic<int> bits{0};
  std::thread counter([&] {
    for (int i = 0; i < CHAR_BIT; ++i) bits += byte >> i & 1;
  });
  std::this_thread::yield();
  counter.join();
#if defined(__SSE2__)
  _mm_pause();
#endif
  return bits == CHAR_BIT;
}
