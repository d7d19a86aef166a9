// Joint: where two neighbouring parts of a reduction meet of which the right one is a task of its
// own.
//
// Nobody waits for a part.  Who ends the second side of a joint joins the bodies, and ends a side
// of the joint around it: however many joints lie in each other, they are folded by a loop, from
// the innermost on and each from left to right.
//
// A Sink is one of detail/_reduce_sink.h.  Its thread, which is at work on the left side: the
// constructor.  The thread of the right part: BeginRight.
// Memory ordering: what was done on a side is visible to who folds the joint, and to a right part
// that goes on with the left one's body (R2).
#ifndef FILCH_TBB_COMPAT_DETAIL_JOINT_H_
#define FILCH_TBB_COMPAT_DETAIL_JOINT_H_

#include <atomic>
#include <memory>
#include <optional>

#include "_config.h"
#include "_run_guarded.h"
#include "_small_object_pointer.h"
#include "_split_body.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Made by new_object of a small_object_allocator, and deleted by the end of its second side.
template <typename Sink, typename Body>
class Joint {
 public:
  // Within `around`, or null, on the side where `left` has been at work and where this is at work
  // from now on.  Throws what splitting throws.
  Joint(Sink& left, Joint* around) : left_(left), around_(around) {
    if constexpr (Sink::kSplitsAlways) MakeRight();
  }
  Joint(const Joint&) = delete;
  Joint& operator=(const Joint&) = delete;

  Sink& left() const { return left_; }

  // What the right part, which begins, goes into.  Throws what splitting throws.
  Sink& BeginRight() {
    if constexpr (!Sink::kSplitsAlways) {
      if (sides_.load(std::memory_order_acquire) == 1) return left_;  // R2: the body is free
      MakeRight();
    }
    return *right_;
  }

  // A side of `joint`, which may be null, is over: and then perhaps the joint is, too.
  static void EndSide(Joint* joint) {
    while (joint != nullptr &&
           joint->sides_.fetch_sub(1, std::memory_order_acq_rel) == 1) {  // R2: both bodies
      const SmallPointer<Joint> over(joint);
      joint->Fold();
      joint = joint->around_;
    }
  }

  struct End {
    void operator()(Joint* joint) const { EndSide(joint); }
  };
  // A side that is over when this is destroyed.
  using Side = std::unique_ptr<Joint, End>;

 private:
  void MakeRight() {
    d1::MakeGuarded(left_.context(), [&] { body_.emplace(left_.body()); });
    right_.emplace(body_->body(), left_.context());
    right_->CountWith(left_);
  }

  // Not if something threw: a body may be half done.
  void Fold() {
    if (!right_ || !right_->has_run() || left_.context().keeps_exception()) return;
    d1::RunKeeping(left_.context(), [&] { left_.Join(*body_); });
  }

  Sink& left_;
  Joint* const around_;
  std::optional<SplitBody<Body>> body_;  // of the right part, unless it goes on with the left one's
  std::optional<Sink> right_;
  std::atomic<int> sides_{2};  // that are not over
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_JOINT_H_
