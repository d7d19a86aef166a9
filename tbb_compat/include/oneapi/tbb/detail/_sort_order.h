// IsSorted, TurnIfReversed, OrderByJoins: whether anything is to be sorted.
//
// One thread for each call, but OrderByJoins, which looks with all threads of the arena.
#ifndef FILCH_TBB_COMPAT_DETAIL_SORT_ORDER_H_
#define FILCH_TBB_COMPAT_DETAIL_SORT_ORDER_H_

#include <algorithm>
#include <atomic>
#include <iterator>
#include <type_traits>

#include "_config.h"
#include "_run_guarded.h"
#include "filch/pool/join.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Iterator, typename Compare>
bool IsSorted(Iterator begin, Iterator end, const Compare& less) {
  const auto is_less = [&less](const auto& a, const auto& b) {
    return static_cast<bool>(less(a, b));
  };
  if constexpr (std::is_pointer_v<Iterator>) {
    // Numbers are compared faster than a loop turns round.
    for (; end - begin > 4; begin += 4) {
      int falls = 0;
      for (int i = 0; i < 4; ++i) falls += is_less(begin[i + 1], begin[i]) ? 1 : 0;
      if (falls != 0) return false;
    }
  }
  return std::is_sorted(begin, end, is_less);
}

// Whether [begin, end) was in the opposite order; then it is turned round.
template <typename Iterator, typename Compare>
bool TurnIfReversed(Iterator begin, Iterator end, const Compare& less) {
  const auto greater = [&less](const auto& a, const auto& b) {
    return static_cast<bool>(less(b, a));
  };
  if (!d1::IsSorted(begin, end, greater)) return false;
  std::reverse(begin, end);
  return true;
}

template <typename Iterator, typename Compare>
class OrderByJoins {
 public:
  OrderByJoins(const Compare& less, filch::Context& context) : less_(less), context_(context) {}

  // Whether [begin, end), of one element at least, is in order; false if it was cancelled, too.
  // What is not at all in order is hardly looked at.
  bool Check(Iterator begin, Iterator end) {
    const Iterator known = begin + std::min<Distance>(kSerial, end - begin);
    return CheckPart(begin, known) && (known == end || CheckPart(known - 1, end));
  }

 private:
  using Distance = typename std::iterator_traits<Iterator>::difference_type;
  // Looked through in about a microsecond: not worth a theft.
  static constexpr Distance kSerial = 5000;

  bool CheckPart(Iterator begin, Iterator end) {
    // What others have found is enough.
    if (falls_.load(std::memory_order_relaxed)) return false;  // R4: a hint
    if (context_.IsCancelled()) return false;
    bool first = false;
    if (end - begin <= kSerial + 1) {
      d1::RunGuarded(context_, [&] { first = d1::IsSorted(begin, end, less_); });
      if (!first) falls_.store(true, std::memory_order_relaxed);  // R4: the joins bring the answer
      return first;
    }
    bool second = false;
    const Iterator middle = begin + (end - begin) / 2;
    filch::Join([&] { first = CheckPart(begin, middle + 1); },
                [&] { second = CheckPart(middle, end); });
    return first && second;
  }

  const Compare& less_;
  filch::Context& context_;
  std::atomic<bool> falls_{false};  // somewhere
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SORT_ORDER_H_
