// parallel_reduce: computes one value from all parts of a range, on all threads
// of the arena, joining neighbours in order.
//
// Two forms. The functional one returns a value: body(part, value) continues a
// value over a part, reduction(left, right) joins two. The imperative one
// accumulates in a body object: body(part), a splitting constructor, and
// left.join(right). Joining need be associative, not commutative. How the range
// is cut depends on timing, so a floating-point sum may differ from run to run;
// parallel_deterministic_reduce always cuts and joins in the same way.
//
// Any thread. Exceptions and cancellation as in parallel_for; parts of a
// cancelled reduction are not joined.
//
//   double sum = tbb::parallel_reduce(tbb::blocked_range<int>(0, n), 0.0,
//       [&](const tbb::blocked_range<int>& part, double value) {
//         for (int i : part) ...
//         return value;
//       }, std::plus<double>());
#ifndef FILCH_TBB_COMPAT_PARALLEL_REDUCE_H_
#define FILCH_TBB_COMPAT_PARALLEL_REDUCE_H_

#include <atomic>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "blocked_range.h"
#include "detail/_config.h"
#include "detail/_cut.h"
#include "detail/_task_group_context.h"
#include "filch/pool/join.h"
#include "partitioner.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// A body that is constructed by splitting another; std::optional can hold it
// though it may be neither copied nor moved.
template <typename Body>
class SplitBody {
 public:
  explicit SplitBody(Body& from) : body_(from, split()) {}
  Body& body() { return body_; }

 private:
  Body body_;
};

// What Cut does with the parts of a reduction. A right part that starts when the
// left one is done continues the left one's body; only a right part that runs
// at the same time gets a body of its own.
template <typename Range, typename Body>
class ReduceSink {
 public:
  ReduceSink(Body& body, filch::Context& context) : body_(body), context_(context) {}

  bool cancelled() const { return context_.IsCancelled(); }
  void Run(Range& part) {
    RunGuarded(context_, [&] { std::invoke(body_, part); });
  }

  template <typename Left, typename Right>
  void Fork(const Left& left, const Right& right) {
    std::atomic<bool> left_done{false};
    std::optional<SplitBody<Body>> other;
    filch::Join(
        [&] {
          left(*this);
          left_done.store(true, std::memory_order_release);  // R1: publishes the left part's body
        },
        [&] {
          if (left_done.load(std::memory_order_acquire)) {  // R1: the body is free
            right(*this);
            return;
          }
          RunGuarded(context_, [&] { other.emplace(body_); });
          ReduceSink sink(other->body(), context_);
          right(sink);
        });
    if (other.has_value() && !cancelled()) {
      RunGuarded(context_, [&] { body_.join(other->body()); });
    }
  }

 private:
  Body& body_;
  filch::Context& context_;
};

// The same for a reduction that always gives the right part a body of its own.
template <typename Range, typename Body>
class DeterministicReduceSink {
 public:
  DeterministicReduceSink(Body& body, filch::Context& context) : body_(body), context_(context) {}

  bool cancelled() const { return context_.IsCancelled(); }
  void Run(Range& part) {
    RunGuarded(context_, [&] { std::invoke(body_, part); });
  }

  template <typename Left, typename Right>
  void Fork(const Left& left, const Right& right) {
    std::optional<SplitBody<Body>> other;
    RunGuarded(context_, [&] { other.emplace(body_); });
    filch::Join([&] { left(*this); },
                [&] {
                  DeterministicReduceSink sink(other->body(), context_);
                  right(sink);
                });
    if (!cancelled()) RunGuarded(context_, [&] { body_.join(other->body()); });
  }

 private:
  Body& body_;
  filch::Context& context_;
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
    value_ = std::invoke(body_, std::as_const(part), std::move(value_));
  }
  void join(ValueBody& right) {
    value_ = std::invoke(reduction_, std::move(value_), std::move(right.value_));
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
  Range whole(range);
  Sink<Range, Body> sink(body, context);
  Cut(whole, sink, partitioner);
}

// Each form below is one of these four.
template <template <typename, typename> class Sink, typename Range, typename Body,
          typename Partitioner>
void ReduceInOwn(const Range& range, Body& body, Partitioner& partitioner) {
  WithOwnContext([&](filch::Context& c) { RunReduce<Sink>(c, range, body, partitioner); });
}

template <template <typename, typename> class Sink, typename Range, typename Body,
          typename Partitioner>
void ReduceIn(task_group_context& context, const Range& range, Body& body,
              Partitioner& partitioner) {
  WithContext(context, [&](filch::Context& c) { RunReduce<Sink>(c, range, body, partitioner); });
}

template <template <typename, typename> class Sink, typename Range, typename Value,
          typename RealBody, typename Reduction, typename Partitioner>
Value ReduceValueInOwn(const Range& range, const Value& identity, const RealBody& real_body,
                       const Reduction& reduction, Partitioner& partitioner) {
  ValueBody<Range, Value, RealBody, Reduction> body(identity, real_body, reduction);
  ReduceInOwn<Sink>(range, body, partitioner);
  return body.result();
}

template <template <typename, typename> class Sink, typename Range, typename Value,
          typename RealBody, typename Reduction, typename Partitioner>
Value ReduceValueIn(task_group_context& context, const Range& range, const Value& identity,
                    const RealBody& real_body, const Reduction& reduction,
                    Partitioner& partitioner) {
  ValueBody<Range, Value, RealBody, Reduction> body(identity, real_body, reduction);
  ReduceIn<Sink>(context, range, body, partitioner);
  return body.result();
}

// The partitioners that keep a reduction deterministic.
template <typename P>
inline constexpr bool IsDeterministicPartitioner =
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<P>>, simple_partitioner> ||
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<P>>, static_partitioner>;

// --- imperative

template <typename Range, typename Body>
void parallel_reduce(const Range& range, Body& body) {
  const auto_partitioner partitioner;
  ReduceInOwn<ReduceSink>(range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
void parallel_reduce(const Range& range, Body& body, Partitioner&& partitioner) {
  ReduceInOwn<ReduceSink>(range, body, partitioner);
}

template <typename Range, typename Body>
void parallel_reduce(const Range& range, Body& body, task_group_context& context) {
  const auto_partitioner partitioner;
  ReduceIn<ReduceSink>(context, range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
void parallel_reduce(const Range& range, Body& body, Partitioner&& partitioner,
                     task_group_context& context) {
  ReduceIn<ReduceSink>(context, range, body, partitioner);
}

// --- functional

template <typename Range, typename Value, typename RealBody, typename Reduction>
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction) {
  const auto_partitioner partitioner;
  return ReduceValueInOwn<ReduceSink>(range, identity, real_body, reduction, partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction,
          typename Partitioner, typename = std::enable_if_t<IsPartitioner<Partitioner>>>
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction, Partitioner&& partitioner) {
  return ReduceValueInOwn<ReduceSink>(range, identity, real_body, reduction, partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction>
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction, task_group_context& context) {
  const auto_partitioner partitioner;
  return ReduceValueIn<ReduceSink>(context, range, identity, real_body, reduction, partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction,
          typename Partitioner, typename = std::enable_if_t<IsPartitioner<Partitioner>>>
Value parallel_reduce(const Range& range, const Value& identity, const RealBody& real_body,
                      const Reduction& reduction, Partitioner&& partitioner,
                      task_group_context& context) {
  return ReduceValueIn<ReduceSink>(context, range, identity, real_body, reduction, partitioner);
}

// --- deterministic, imperative

template <typename Range, typename Body>
void parallel_deterministic_reduce(const Range& range, Body& body) {
  const simple_partitioner partitioner;
  ReduceInOwn<DeterministicReduceSink>(range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsDeterministicPartitioner<Partitioner>>>
void parallel_deterministic_reduce(const Range& range, Body& body, Partitioner&& partitioner) {
  ReduceInOwn<DeterministicReduceSink>(range, body, partitioner);
}

template <typename Range, typename Body>
void parallel_deterministic_reduce(const Range& range, Body& body, task_group_context& context) {
  const simple_partitioner partitioner;
  ReduceIn<DeterministicReduceSink>(context, range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsDeterministicPartitioner<Partitioner>>>
void parallel_deterministic_reduce(const Range& range, Body& body, Partitioner&& partitioner,
                                   task_group_context& context) {
  ReduceIn<DeterministicReduceSink>(context, range, body, partitioner);
}

// --- deterministic, functional

template <typename Range, typename Value, typename RealBody, typename Reduction>
Value parallel_deterministic_reduce(const Range& range, const Value& identity,
                                    const RealBody& real_body, const Reduction& reduction) {
  const simple_partitioner partitioner;
  return ReduceValueInOwn<DeterministicReduceSink>(range, identity, real_body, reduction,
                                                   partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction,
          typename Partitioner,
          typename = std::enable_if_t<IsDeterministicPartitioner<Partitioner>>>
Value parallel_deterministic_reduce(const Range& range, const Value& identity,
                                    const RealBody& real_body, const Reduction& reduction,
                                    Partitioner&& partitioner) {
  return ReduceValueInOwn<DeterministicReduceSink>(range, identity, real_body, reduction,
                                                   partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction>
Value parallel_deterministic_reduce(const Range& range, const Value& identity,
                                    const RealBody& real_body, const Reduction& reduction,
                                    task_group_context& context) {
  const simple_partitioner partitioner;
  return ReduceValueIn<DeterministicReduceSink>(context, range, identity, real_body, reduction,
                                                partitioner);
}

template <typename Range, typename Value, typename RealBody, typename Reduction,
          typename Partitioner,
          typename = std::enable_if_t<IsDeterministicPartitioner<Partitioner>>>
Value parallel_deterministic_reduce(const Range& range, const Value& identity,
                                    const RealBody& real_body, const Reduction& reduction,
                                    Partitioner&& partitioner, task_group_context& context) {
  return ReduceValueIn<DeterministicReduceSink>(context, range, identity, real_body, reduction,
                                                partitioner);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::parallel_deterministic_reduce;
using detail::d1::parallel_reduce;
}  // namespace v1
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_PARALLEL_REDUCE_H_
