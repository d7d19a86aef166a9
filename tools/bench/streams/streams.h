// Items that one thread at a time has to fetch, in their order: `size` of them, each of which
// takes some work that several threads may do.  The unit is one item.
#ifndef FILCH_TOOLS_BENCH_STREAMS_STREAMS_H_
#define FILCH_TOOLS_BENCH_STREAMS_STREAMS_H_

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "tools/bench/harness/run.h"
#include "tools/bench/harness/work.h"

namespace bench {

constexpr std::uint32_t kStepsOfMicrosecond = static_cast<std::uint32_t>(kStepsPerMicrosecond);

// What is done for an item; what is fed into the answer.
template <std::uint32_t kSteps>
std::int64_t Digest(std::int64_t item) {
  return (item & 7) + static_cast<std::int64_t>(Work(kSteps) & 1);
}

// digest_all(size) is the sum of the digests.
template <typename DigestAll>
void TimeStream(Run& run, DigestAll digest_all) {
  std::int64_t sum = 0;
  run.Time(static_cast<double>(run.size()), [&] { sum = digest_all(run.size()); });
  run.Answer(sum);
}

// The workloads of a runtime that has template Pipeline<steps>(size), in which items are
// fetched and added in their order, and EachOnce(size), in which they are fetched by a Once.
template <typename Streams>
class StreamWorkloads {
 private:
  Registration pipeline_{"pipeline",
                         [](Run& run) { TimeStream(run, &Streams::template Pipeline<1>); }};
  Registration pipeline_1us_{"pipeline_1us", [](Run& run) {
                               TimeStream(run, &Streams::template Pipeline<kStepsOfMicrosecond>);
                             }};
  Registration each_once_{"each_once", [](Run& run) { TimeStream(run, &Streams::EachOnce); }};
};

// A sequence that can be gone through once.
class Once {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = std::int64_t;
  using difference_type = std::ptrdiff_t;
  using pointer = const std::int64_t*;
  using reference = std::int64_t;

  explicit Once(std::int64_t item) : item_(item) {}
  std::int64_t operator*() const { return item_; }
  Once& operator++() {
    ++item_;
    return *this;
  }
  Once operator++(int) { return Once(item_++); }
  friend bool operator==(const Once& a, const Once& b) { return a.item_ == b.item_; }
  friend bool operator!=(const Once& a, const Once& b) { return !(a == b); }

 private:
  std::int64_t item_;
};

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_STREAMS_STREAMS_H_
