// ReduceSink: what is done with the parts of a range that is reduced.
//
// The sinks of detail/_cut.h for parallel_reduce over ranges of the program's own
// and for parallel_deterministic_reduce, and the body that is used when the
// program gives functions instead of a body. All else is detail/_reduce_loop.h.
#ifndef FILCH_TBB_COMPAT_DETAIL_REDUCE_SINK_H_
#define FILCH_TBB_COMPAT_DETAIL_REDUCE_SINK_H_

#include <atomic>
#include <functional>
#include <optional>
#include <utility>

#include "_config.h"
#include "_context_use.h"
#include "_cut.h"
#include "_fixed_tree.h"
#include "_joint.h"
#include "_own_context.h"
#include "_parts.h"
#include "_range_common.h"
#include "_reduce_loop.h"
#include "_run_guarded.h"
#include "_small_object_pool.h"
#include "_split_body.h"
#include "_task_group_context.h"
#include "filch/pool/context.h"
#include "filch/pool/join.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/wait_group.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// The body that a row of parts goes into, one part after the other. In a reduction that
// was cancelled, a body of which no part ran is not joined.
template <typename Sink, typename Range, typename Body>
class BodyOfParts {
 public:
  BodyOfParts(const BodyOfParts&) = delete;
  BodyOfParts& operator=(const BodyOfParts&) = delete;

  filch::LoopKind& kind() const { return filch::loop_kind<BodyOfParts>; }
  bool cancelled() const { return context_.IsCancelled(); }
  void Run(Range& part) {
    if (d1::RunGuarded(context_, [&] { std::invoke(body_, part); })) has_run_ = true;
  }
  // Each fork waits for its parts.
  template <typename F>
  void RunAll(const F& f) {
    Guard(f);
  }
  template <typename F>
  void Guard(const F& f) {
    d1::RunGuarded(context_, f);
  }
  template <typename F>
  void BeginApart(const F& f) {
    filch::WaitGroup tasks(context_);
    tasks_ = &tasks;
    d1::RunKeeping(context_, f);
    EndSide();
    tasks.WaitForTasks();
    tasks_ = nullptr;
    // Here, so that nothing is joined around this whose body is half done.
    context_.Rethrow();
  }
  template <typename Right>
  void RunApart(Right& right) {
    side_ = small_object_allocator().new_object<Joint<Sink, Body>>(self(), side_);
    typename Joint<Sink, Body>::Side right_side(side_);
    tasks_->Run([side = std::move(right_side), part = std::move(right)]() mutable {
      BodyOfParts* own = nullptr;
      d1::RunKeeping(side->left().context(), [&] {
        own = &side->BeginRight();
        own->side_ = side.release();
        part.Run(own->self());
      });
      if (own != nullptr) own->EndSide();
    });
  }
  bool is_apart() const { return tasks_ != nullptr; }

  Body& body() const { return body_; }
  filch::Context& context() const { return context_; }
  // A part has run, and the body is ahead of what it was split as.
  bool has_run() const { return has_run_; }
  // For a right part that is a task of its own, as those will be that are cut off from it.
  void CountWith(const BodyOfParts& left) { tasks_ = left.tasks_; }
  void Join(SplitBody<Body>& right) {
    if (d1::RunGuarded(context_, [&] { body_.join(right.body()); })) has_run_ = true;
  }

 protected:
  BodyOfParts(Body& body, filch::Context& context) : body_(body), context_(context) {}
  ~BodyOfParts() = default;

  // Makes the body of a right part.
  void SplitInto(ForkedBody<Body>& right) {
    d1::MakeGuarded(context_, [&] { d1::SplitInto(right, body_); });
  }

 private:
  Sink& self() { return static_cast<Sink&>(*this); }
  // Others may go on with this sink at once, or it is gone.
  void EndSide() { Joint<Sink, Body>::EndSide(std::exchange(side_, nullptr)); }

  Body& body_;
  filch::Context& context_;
  bool has_run_ = false;
  // Once parts are tasks of their own: where these are counted, and the joint on a side of which
  // this is at work, if there is one.
  filch::WaitGroup* tasks_ = nullptr;
  Joint<Sink, Body>* side_ = nullptr;
};

// What Cut does with the parts of a reduction. A right part that starts when the
// left one is done continues the left one's body; only a right part that runs
// at the same time gets a body of its own.
template <typename Range, typename Body>
class ReduceSink : public BodyOfParts<ReduceSink<Range, Body>, Range, Body> {
 public:
  static constexpr bool kSplitsAlways = false;
  static constexpr bool kForksThree = false;

  ReduceSink(Body& body, filch::Context& context) : ReduceSink::BodyOfParts(body, context) {}

  template <typename Left, typename Right>
  void Fork(const Left& left, Right& right) {
    std::atomic<bool> left_done{false};
    ForkedBody<Body> other;
    bool other_has_run = false;
    filch::Join(
        [&] {
          // Here, because others are to stop before they are waited for.
          this->Guard(left);
          left_done.store(true, std::memory_order_release);  // R1: publishes the left part's body
        },
        [&] {
          if (left_done.load(std::memory_order_acquire)) {  // R1: the body is free
            right.Run(*this);  // as a part of what is guarded around this
            return;
          }
          this->SplitInto(other);
          ReduceSink sink(other->body(), this->context());
          sink.Guard([&] { right.Run(sink); });
          other_has_run = sink.has_run();
        });
    if (other_has_run) this->Join(*other);
  }
};

// The same for a reduction that always gives the right part a body of its own.
template <typename Range, typename Body>
class DeterministicReduceSink
    : public BodyOfParts<DeterministicReduceSink<Range, Body>, Range, Body> {
 public:
  static constexpr bool kSplitsAlways = true;
  static constexpr bool kForksThree = true;

  DeterministicReduceSink(Body& body, filch::Context& context)
      : DeterministicReduceSink::BodyOfParts(body, context) {}

  template <typename Left, typename Right>
  void Fork(const Left& left, Right& right) {
    RightSink second(*this);
    filch::Join([&] { this->Guard(left); }, [&] { second.Run(right); });
    second.JoinInto(*this);
  }
  // Two right parts, of which the last one was cut off from the middle one.
  template <typename Left, typename Right>
  void Fork(const Left& left, Right& middle, Right& last) {
    RightSink second(*this);
    RightSink third(*second);
    filch::Join([&] { this->Guard(left); }, [&] { second.Run(middle); }, [&] { third.Run(last); });
    third.JoinInto(*second);
    second.JoinInto(*this);
  }

 private:
  // That of a right part, in a fork.
  class RightSink {
   public:
    // Throws what splitting throws.
    explicit RightSink(DeterministicReduceSink& left) {
      left.SplitInto(body_);
      sink_.emplace(body_->body(), left.context());
    }
    DeterministicReduceSink& operator*() { return *sink_; }

    template <typename Right>
    void Run(Right& right) {
      sink_->Guard([&] { right.Run(*sink_); });
    }
    void JoinInto(DeterministicReduceSink& left) {
      if (sink_->has_run()) left.Join(*body_);
    }

   private:
    ForkedBody<Body> body_;
    std::optional<DeterministicReduceSink> sink_;
  };
};

// The body of the functional form. Values are moved where the program's
// functions take them so.
template <typename Range, typename Value, typename RealBody, typename Reduction>
class ValueBody {
 public:
  ValueBody(const Value& identity, const RealBody& body, const Reduction& reduction)
      : identity_(identity), body_(body), reduction_(reduction), value_(identity) {}
  ValueBody(ValueBody& other, split)
      : identity_(other.identity_),
        body_(other.body_),
        reduction_(other.reduction_),
        value_(other.identity_) {}
  ValueBody(const ValueBody&) = delete;
  ValueBody& operator=(const ValueBody&) = delete;

  void operator()(Range& part) {
    if constexpr (std::is_invocable_v<const RealBody&, Range&, Value>) {
      value_ = std::invoke(body_, part, std::move(value_));
    } else {
      value_ = std::invoke(body_, part, std::as_const(value_));
    }
  }
  void join(ValueBody& right) {
    if constexpr (std::is_invocable_v<const Reduction&, Value, Value>) {
      value_ = std::invoke(reduction_, std::move(value_), std::move(right.value_));
    } else {
      value_ = std::invoke(reduction_, std::as_const(value_), std::as_const(right.value_));
    }
  }
  Value&& result() { return std::move(value_); }

 private:
  const Value& identity_;
  const RealBody& body_;
  const Reduction& reduction_;
  Value value_;
};

template <template <typename, typename> class Sink, typename Range, typename Body,
          typename Partitioner>
void RunReduce(filch::Context& context, const Range& range, Body& body, Partitioner& partitioner) {
  if (range.empty()) return;
  if (context.IsCancelled()) return context.Rethrow();
  constexpr bool kSplitsAlways = Sink<Range, Body>::kSplitsAlways;
  if constexpr (kSplitsAlways && PlacesParts<Partitioner>) {
    d1::ReduceAlongTree(context, range, body, partitioner);
  } else if constexpr (IsCutByOffset<Range, Partitioner> && !kSplitsAlways) {
    d1::ReduceOffsets(context, range, body, partitioner);
  } else if constexpr (PlacesParts<Partitioner>) {
    d1::ReduceParts(context, range, body, partitioner);
  } else {
    Sink<Range, Body> sink(body, context);
    d1::Cut(context, range, sink, partitioner);
    context.Rethrow();
  }
}

// Each form below is one of these four.
template <template <typename, typename> class Sink, typename Range, typename Body,
          typename Partitioner>
void ReduceInOwn(const Range& range, Body& body, Partitioner& partitioner) {
  d1::WithOwnContext([&](filch::Context& c) { d1::RunReduce<Sink>(c, range, body, partitioner); });
}

template <template <typename, typename> class Sink, typename Range, typename Body,
          typename Partitioner>
void ReduceIn(task_group_context& context, const Range& range, Body& body,
              Partitioner& partitioner) {
  d1::WithContext(context,
                  [&](filch::Context& c) { d1::RunReduce<Sink>(c, range, body, partitioner); });
}

template <template <typename, typename> class Sink, typename Range, typename Value,
          typename RealBody, typename Reduction, typename Partitioner>
Value ReduceValueInOwn(const Range& range, const Value& identity, const RealBody& real_body,
                       const Reduction& reduction, Partitioner& partitioner) {
  ValueBody<Range, Value, RealBody, Reduction> body(identity, real_body, reduction);
  d1::ReduceInOwn<Sink>(range, body, partitioner);
  return body.result();
}

template <template <typename, typename> class Sink, typename Range, typename Value,
          typename RealBody, typename Reduction, typename Partitioner>
Value ReduceValueIn(task_group_context& context, const Range& range, const Value& identity,
                    const RealBody& real_body, const Reduction& reduction,
                    Partitioner& partitioner) {
  ValueBody<Range, Value, RealBody, Reduction> body(identity, real_body, reduction);
  d1::ReduceIn<Sink>(context, range, body, partitioner);
  return body.result();
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_REDUCE_SINK_H_
