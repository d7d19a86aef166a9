// parallel_for: runs a body on every part of a range, or a function on every
// index, on all threads of the arena.
//
// Any thread. It returns when everything has run, or, after an exception or a
// cancellation, when everything that had started has ended; the first exception
// is thrown again. Parts may run in any order and at the same time; what they
// wrote is visible afterwards.
//
// Body and function are called as const. A body may still have data that its calls
// change (in a mutable member): no object is called by two threads at once, but each
// thread calls a copy (detail/_loop_body_copies.h), whose destructor has run when
// parallel_for returns. The threads may copy at the same time. A function of indices is
// shared by the threads.
//
//   tbb::parallel_for(0, n, [&](int i) { out[i] = f(in[i]); });
//   tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const tbb::blocked_range<int>& part) {
//     for (int i = part.begin(); i < part.end(); ++i) ...
//   });
#ifndef FILCH_TBB_COMPAT_PARALLEL_FOR_H_
#define FILCH_TBB_COMPAT_PARALLEL_FOR_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "blocked_range.h"
#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_context_use.h"
#include "detail/_cut.h"
#include "detail/_exception.h"
#include "detail/_loop_body_copies.h"
#include "detail/_own_context.h"
#include "detail/_parts.h"
#include "detail/_run_guarded.h"
#include "detail/_task_group_context.h"
#include "filch/partitioner/split_policy.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/branch.h"
#include "filch/pool/context.h"
#include "filch/pool/credit_latch.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/loop_body.h"
#include "filch/pool/loop_kind.h"
#include "filch/pool/wait_group.h"
#include "partitioner.h"

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

// The units of a loop that are parts of a range, cut before.
template <typename Range>
class PartsThatAreCut {
 public:
  explicit PartsThatAreCut(std::vector<Range>& parts) : parts_(parts) {}
  template <typename F>
  void ForParts(filch::UnitInterval units, const F& f) const {
    for (std::uint32_t i = units.begin; i != units.end; ++i) f(parts_[i]);
  }

 private:
  std::vector<Range>& parts_;
};

// Or make parts of a blocked_range, as a cut of the pool's says.
template <typename Value, typename Cut>
class PartsByOffset {
 public:
  PartsByOffset(const blocked_range<Value>& range, const Cut& cut) : range_(range), cut_(cut) {}
  template <typename F>
  void ForParts(filch::UnitInterval units, const F& f) const {
    // All in one place, because this is not always inlined, and a part may be next to nothing.
    cut_.ForParts(units, [&range = range_, f](std::uint64_t from, std::uint64_t to) {
      blocked_range<Value> part = range.part(from, to);
      f(part);
    });
  }

 private:
  const blocked_range<Value>& range_;
  const Cut cut_;
};

// A loop over the units of `Parts`, one of these.
template <typename Body, typename Parts>
class ForLoop final : public filch::LoopBody {
 public:
  ForLoop(const Body& body, const Parts& parts, filch::Context& context)
      : LoopBody(filch::loop_kind<ForLoop>), bodies_(body), parts_(parts), context_(context) {}

  void Run(filch::UnitInterval units, void** segment) override {
    d1::RunKeeping(context_, [&] {
      bodies_.With(segment, [&](const Body& body) {
        parts_.ForParts(units, [&context = context_, &body](auto& part) {
          // The loop asks for many units at once, and a grain may make each of them a part.
          if (!context.IsCancelled()) std::invoke(body, part);
        });
      });
    });
  }

 private:
  LoopBodyCopies<Body> bodies_;
  const Parts parts_;
  filch::Context& context_;
};

template <typename Range, typename Body, typename Partitioner>
void RunFor(filch::Context& context, const Range& range, const Body& body,
            Partitioner& partitioner) {
  if (range.empty()) return;
  if (context.IsCancelled()) return context.Rethrow();
  if constexpr (PlacesParts<Partitioner>) {
    // Each part has a place of its own, so all are cut first.
    std::vector<Range> parts =
        d1::PartsOf(context, range, filch::StaticSplit(d1::MostParts(partitioner)));
    if (context.IsCancelled()) return context.Rethrow();
    ForLoop<Body, PartsThatAreCut<Range>> loop(body, PartsThatAreCut(parts), context);
    d1::RunUnits(loop, static_cast<std::uint32_t>(parts.size()), partitioner, context);
  } else {
    using BodyOfPart = PartBodyOf<Range, Body>;
    BodyOfPart body_of_part(body);
    filch::pool_internal::CreditLatch latch;
    ForSink<Range> sink(body_of_part, filch::loop_kind<BodyOfPart>, context, latch);
    d1::Cut(context, range, sink, partitioner);
    context.Rethrow();
  }
}

// A blocked_range of whatever Value is an interval of offsets: the pool's own
// loop cuts it.
template <typename Value, typename Body, typename Partitioner>
void RunFor(filch::Context& context, const blocked_range<Value>& range, const Body& body,
            Partitioner& partitioner) {
  if (__builtin_expect(range.empty(), 0)) return;
  const auto cut = d1::OffsetCut(range, partitioner);
  using Parts = PartsByOffset<Value, std::decay_t<decltype(cut)>>;
  ForLoop<Body, Parts> loop(body, Parts(range, cut), context);
  d1::RunUnits(loop, cut.units(), partitioner, context);
}

// The body of the forms with an index: part `k` of the steps is index
// first + k * step.
template <typename Index, typename Function>
class IndexBody {
 public:
  IndexBody(Index first, Index step, const Function& function)
      : first_(static_cast<std::size_t>(first)),
        step_(static_cast<std::size_t>(step)),
        function_(function) {}

  void operator()(const blocked_range<std::size_t>& part) const {
    if (step_ == 1) {
      // The plain loop that compilers vectorize.
      const Index end = At(part.end());
      for (Index i = At(part.begin()); i != end; ++i) std::invoke(function_, i);
    } else {
      for (std::size_t k = part.begin(); k != part.end(); ++k) {
        Index i = At(k);
        std::invoke(function_, i);
      }
    }
  }

 private:
  // Unsigned arithmetic, because the distance between two indices may be more
  // than their type holds.
  Index At(std::size_t k) const { return static_cast<Index>(first_ + k * step_); }

  const std::size_t first_;
  const std::size_t step_;
  const Function& function_;
};

// The same for indices that are wider, or of a class that counts like an integer.
template <typename Index, typename Function>
class ClassIndexBody {
 public:
  ClassIndexBody(const Index& first, const Index& step, const Function& function)
      : first_(first), step_(step), function_(function) {}

  void operator()(const blocked_range<Index>& part) const {
    Index i = first_ + part.begin() * step_;
    for (Index k = part.begin(); k < part.end(); ++k, i += step_) std::invoke(function_, i);
  }

 private:
  const Index& first_;
  const Index& step_;
  const Function& function_;
};

// How many whole steps lie before the last of `distance` indices; the distance may be an
// index, or a number.
template <typename Distance, typename Index>
Index StepsBefore(const Distance& distance, const Index& step) {
  if constexpr (std::is_same_v<Distance, Index>) {
    return (distance - Index(1)) / step;
  } else {
    return Index(distance - 1) / step;
  }
}

// Neither has data that changes, and the function is one for all.
template <typename Index, typename Function>
inline constexpr bool SharesBody<IndexBody<Index, Function>> = true;
template <typename Index, typename Function>
inline constexpr bool SharesBody<ClassIndexBody<Index, Function>> = true;

template <typename Index, typename Function, typename Partitioner>
void RunIndices(filch::Context& context, Index first, Index last, Index step,
                const Function& function, Partitioner& partitioner) {
  static_assert(!std::is_floating_point_v<Index>, "parallel_for counts with integers");
  if (!(first < last)) return;
  if constexpr (CountsInSize<Index>) {
    const std::size_t distance = static_cast<std::size_t>(last) - static_cast<std::size_t>(first);
    const std::size_t steps = (distance - 1) / static_cast<std::size_t>(step) + 1;
    d1::RunFor(context, blocked_range<std::size_t>(0, steps),
               IndexBody<Index, Function>(first, step, function), partitioner);
  } else {
    const Index steps = d1::StepsBefore(last - first, step) + Index(1);
    d1::RunFor(context, blocked_range<Index>(Index(0), steps),
               ClassIndexBody<Index, Function>(first, step, function), partitioner);
  }
}

template <typename Index>
void CheckStep(Index step) {
  if (!(Index(0) < step)) r1::throw_exception(r1::exception_id::nonpositive_step);
}

// Each form below is one of these four. They have names of their own, and are called by
// their full names, because the program's namespaces may have a parallel_for, too.

template <typename Range, typename Body, typename Partitioner>
void ForRangeInOwn(const Range& range, const Body& body, Partitioner& partitioner) {
  d1::WithOwnContext([&](filch::Context& c) { d1::RunFor(c, range, body, partitioner); });
}

template <typename Range, typename Body, typename Partitioner>
void ForRangeIn(task_group_context& context, const Range& range, const Body& body,
                Partitioner& partitioner) {
  d1::WithContextUnlessCancelled(
      context, [&](filch::Context& c) { d1::RunFor(c, range, body, partitioner); });
}

template <typename Index, typename Function, typename Partitioner>
void ForIndicesInOwn(Index first, Index last, Index step, const Function& f,
                     Partitioner& partitioner) {
  d1::CheckStep(step);
  d1::WithOwnContext(
      [&](filch::Context& c) { d1::RunIndices(c, first, last, step, f, partitioner); });
}

template <typename Index, typename Function, typename Partitioner>
void ForIndicesIn(task_group_context& context, Index first, Index last, Index step,
                  const Function& f, Partitioner& partitioner) {
  d1::CheckStep(step);
  d1::WithContextUnlessCancelled(
      context, [&](filch::Context& c) { d1::RunIndices(c, first, last, step, f, partitioner); });
}

// --- over a range

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_for_body<Body, Range>)
void parallel_for(const Range& range, const Body& body) {
  const auto_partitioner partitioner;
  d1::ForRangeInOwn(range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_for_body<Body, Range>)
void parallel_for(const Range& range, const Body& body, Partitioner&& partitioner) {
  d1::ForRangeInOwn(range, body, d1::PartitionerOf(partitioner));
}

template <typename Range, typename Body>
__TBB_requires(tbb_range<Range>&& parallel_for_body<Body, Range>)
void parallel_for(const Range& range, const Body& body, task_group_context& context) {
  const auto_partitioner partitioner;
  d1::ForRangeIn(context, range, body, partitioner);
}

template <typename Range, typename Body, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(tbb_range<Range>&& parallel_for_body<Body, Range>)
void parallel_for(const Range& range, const Body& body, Partitioner&& partitioner,
                  task_group_context& context) {
  d1::ForRangeIn(context, range, body, d1::PartitionerOf(partitioner));
}

// --- over indices by a step

template <typename Index, typename Function>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, Index step, const Function& f) {
  const auto_partitioner partitioner;
  d1::ForIndicesInOwn(first, last, step, f, partitioner);
}

template <typename Index, typename Function, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, Index step, const Function& f,
                  Partitioner&& partitioner) {
  d1::ForIndicesInOwn(first, last, step, f, d1::PartitionerOf(partitioner));
}

template <typename Index, typename Function>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, Index step, const Function& f,
                  task_group_context& context) {
  const auto_partitioner partitioner;
  d1::ForIndicesIn(context, first, last, step, f, partitioner);
}

template <typename Index, typename Function, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, Index step, const Function& f, Partitioner&& partitioner,
                  task_group_context& context) {
  d1::ForIndicesIn(context, first, last, step, f, d1::PartitionerOf(partitioner));
}

// --- over indices one by one

template <typename Index, typename Function>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, const Function& f) {
  const auto_partitioner partitioner;
  d1::ForIndicesInOwn(first, last, static_cast<Index>(1), f, partitioner);
}

template <typename Index, typename Function, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, const Function& f, Partitioner&& partitioner) {
  d1::ForIndicesInOwn(first, last, static_cast<Index>(1), f, d1::PartitionerOf(partitioner));
}

template <typename Index, typename Function>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, const Function& f, task_group_context& context) {
  const auto_partitioner partitioner;
  d1::ForIndicesIn(context, first, last, static_cast<Index>(1), f, partitioner);
}

template <typename Index, typename Function, typename Partitioner,
          typename = std::enable_if_t<IsPartitioner<Partitioner>>>
__TBB_requires(parallel_for_index<Index>&& parallel_for_function<Function, Index>)
void parallel_for(Index first, Index last, const Function& f, Partitioner&& partitioner,
                  task_group_context& context) {
  d1::ForIndicesIn(context, first, last, static_cast<Index>(1), f, d1::PartitionerOf(partitioner));
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::parallel_for;
}  // namespace v1
#ifdef FILCH_TBB_CLASSIC
// Where TBB 2020 defines those over indices, and some programs look for them.
namespace strict_ppl {
using detail::d1::parallel_for;
}
#endif
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_FOR_H_
