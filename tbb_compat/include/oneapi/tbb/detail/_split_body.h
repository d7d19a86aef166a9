// SplitBody: a body that is constructed by splitting another; a container can hold
// it though it may be neither copied nor moved.
//
// And ForkedBody: the place of one in a fork.
#ifndef FILCH_TBB_COMPAT_DETAIL_SPLIT_BODY_H_
#define FILCH_TBB_COMPAT_DETAIL_SPLIT_BODY_H_

#include <optional>
#include <type_traits>

#include "_config.h"
#include "_range_common.h"
#include "_small_object_pointer.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Body>
class SplitBody {
 public:
  explicit SplitBody(Body& from) : body_(from, split()) {}
  Body& body() { return body_; }

 private:
  Body body_;
};

// Forks are nested, each with such a place on the stack: what is large has memory of its own.
template <typename Body>
inline constexpr bool IsKeptInFork = sizeof(Body) <= 256;

// Empty, or a SplitBody.
template <typename Body>
using ForkedBody = std::conditional_t<IsKeptInFork<Body>, std::optional<SplitBody<Body>>,
                                      SmallPointer<SplitBody<Body>>>;

template <typename Body>
void SplitInto(ForkedBody<Body>& place, Body& from) {
  if constexpr (IsKeptInFork<Body>) {
    place.emplace(from);
  } else {
    place = d1::MakeSmall<SplitBody<Body>>(from);
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SPLIT_BODY_H_
