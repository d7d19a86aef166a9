// ForSink: what parallel_for does with the parts of a range that is cut as it runs, by the range's
// own splitting constructors (_cut.h).
#ifndef FILCH_TBB_COMPAT_DETAIL_FOR_SINK_H_
#define FILCH_TBB_COMPAT_DETAIL_FOR_SINK_H_

#include <functional>
#include <utility>

#include "_config.h"
#include "_exception.h"
#include "_loop_body_copies.h"
#include "_run_guarded.h"
#include "filch/pool/branch.h"
#include "filch/pool/context.h"
#include "filch/pool/credit_latch.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/wait_group.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// What a loop calls for parts of such a range: how it is cut and shared is compiled once for all
// bodies.
template <typename Range>
class PartBody {
 public:
  PartBody(const PartBody&) = delete;
  PartBody& operator=(const PartBody&) = delete;

  // The segment is that of LoopBodyCopies.
  virtual void Run(Range& part, void** segment) = 0;

 protected:
  PartBody() = default;
  ~PartBody() = default;
};

template <typename Range, typename Body>
class PartBodyOf final : public PartBody<Range> {
 public:
  explicit PartBodyOf(const Body& body) : bodies_(body) {}

  void Run(Range& part, void** segment) override {
    bodies_.With(segment, [&part](const Body& body) { std::invoke(body, part); });
  }

 private:
  LoopBodyCopies<Body> bodies_;
};

// What Cut does with the parts of a loop; the first one, and one for each part that was taken.
// What bodies and ranges throw is kept by the context.
template <typename Range>
class ForSink : public filch::pool_internal::Branch {
 public:
  static constexpr bool kForksThree = false;

  ForSink(PartBody<Range>& body, filch::LoopKind& kind, filch::Context& context,
          filch::pool_internal::CreditLatch& latch)
      : Branch(latch), body_(body), kind_(kind), context_(context) {}
  ForSink(const ForSink& other, filch::pool_internal::Credit credit)
      : Branch(other, credit), body_(other.body_), kind_(other.kind_), context_(other.context_) {}

  filch::LoopKind& kind() const { return kind_; }
  bool cancelled() const { return context_.IsCancelled(); }
  void Run(Range& part) {
    d1::RunKeeping(context_, [&] { body_.Run(part, &segment_); });
  }
  template <typename Left, typename Right>
  void Fork(const Left& left, Right& right) {
    filch::pool_internal::ForkOff(filch::pool_internal::CurrentSlot(), *this, left, right);
  }
  template <typename F>
  void RunAll(const F& f) {
    Guard(f);
    AwaitAll(filch::pool_internal::CurrentSlot());
  }
  template <typename F>
  void Guard(const F& f) {
    d1::RunKeeping(context_, f);
  }
  void KeepException() { r1::KeepException(context_); }
  template <typename F>
  void BeginApart(const F& f) {
    Apart apart{filch::WaitGroup(context_), *this};
    apart_ = &apart;
    Guard(f);
    apart.tasks.WaitForTasks();
    apart_ = nullptr;
  }
  template <typename Right>
  void RunApart(Right& right) {
    apart_->tasks.Run([apart = apart_, part = std::move(right)]() mutable {
      ForSink own(apart->beginner, 0);
      own.apart_ = apart;
      own.Guard([&] { part.Run(own); });
    });
  }
  bool is_apart() const { return apart_ != nullptr; }

 private:
  // Parts that are tasks of their own, and the sink where that began.
  struct Apart {
    filch::WaitGroup tasks;
    const ForSink& beginner;
  };

  PartBody<Range>& body_;
  filch::LoopKind& kind_;
  filch::Context& context_;
  void* segment_ = nullptr;
  Apart* apart_ = nullptr;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_FOR_SINK_H_
