// SplitBody: a body that is constructed by splitting another; a container can hold
// it though it may be neither copied nor moved.
#ifndef FILCH_TBB_COMPAT_DETAIL_SPLIT_BODY_H_
#define FILCH_TBB_COMPAT_DETAIL_SPLIT_BODY_H_

#include "_config.h"
#include "_range_common.h"

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

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SPLIT_BODY_H_
