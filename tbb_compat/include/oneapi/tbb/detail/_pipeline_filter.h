// The filters of a pipeline: what a program makes, and what runs.
//
// tbb::filter is a handle to one step or to a chain of two; copies share them. They are
// immutable: what a running pipeline remembers about a step is in the pipeline.
#ifndef FILCH_TBB_COMPAT_DETAIL_PIPELINE_FILTER_H_
#define FILCH_TBB_COMPAT_DETAIL_PIPELINE_FILTER_H_

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "_assert.h"
#include "_concepts.h"
#include "_config.h"
#include "_pipeline_item.h"
#include "filch/topology/plain_vector.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

enum class filter_mode : unsigned {
  parallel,
  serial_in_order,
  serial_out_of_order,
};

// By which the first filter of a pipeline says that there are no more items.
class flow_control {
 public:
  // What the filter returns after that is ignored.
  void stop() { stopped_ = true; }

 private:
  friend class Pipeline;
  flow_control() = default;

  bool stopped_ = false;
};

class PipelineStep;
using PipelineSteps = filch::PlainVector<const PipelineStep*>;

// What a filter is a handle to. Tests count how many there are.
class PipelineNode {
 public:
  PipelineNode() {
#ifdef __TBB_TEST_FILTER_NODE_COUNT
    ++(__TBB_TEST_FILTER_NODE_COUNT);
#endif
  }
  virtual ~PipelineNode() {
#ifdef __TBB_TEST_FILTER_NODE_COUNT
    --(__TBB_TEST_FILTER_NODE_COUNT);
#endif
  }
  PipelineNode(const PipelineNode&) = delete;
  PipelineNode& operator=(const PipelineNode&) = delete;

  // In their order. The node keeps them.
  virtual void AppendTo(PipelineSteps& steps) const = 0;
};
using PipelineNodePointer = std::shared_ptr<const PipelineNode>;

// First left, then right.
class PipelineChain final : public PipelineNode {
 public:
  PipelineChain(PipelineNodePointer left, PipelineNodePointer right)
      : left_(std::move(left)), right_(std::move(right)) {}

  void AppendTo(PipelineSteps& steps) const override {
    left_->AppendTo(steps);
    right_->AppendTo(steps);
  }

 private:
  const PipelineNodePointer left_;
  const PipelineNodePointer right_;
};

// One step.
class PipelineStep : public PipelineNode {
 public:
  // `kind` is the same address for all steps with such a body.
  PipelineStep(filter_mode mode, const void* kind) : mode_(mode), kind_(kind) {}

  void AppendTo(PipelineSteps& steps) const override { steps.push_back(this); }
  filter_mode mode() const { return mode_; }
  const void* kind() const { return kind_; }
  // Takes the item out of `in` and puts its own into `out`; the control is for
  // the first step alone.
  virtual void Call(PipelineItem& in, PipelineItem& out, flow_control& control) const = 0;

 private:
  const filter_mode mode_;
  const void* const kind_;
};

template <typename Input, typename Output, typename Body>
class PipelineStepOf final : public PipelineStep {
 public:
  PipelineStepOf(filter_mode mode, const Body& body) : PipelineStep(mode, &kKind), body_(body) {}

  void Call(PipelineItem& in, PipelineItem& out, flow_control& control) const override {
    const auto call = [&]() -> decltype(auto) {
      if constexpr (std::is_void_v<Input>) {
        return std::invoke(body_, control);
      } else {
        return std::invoke(body_, std::move(in.Get<Input>()));
      }
    };
    if constexpr (std::is_void_v<Output>) {
      call();
    } else {
      out.Fill<Output>(call);
    }
    in.Clear();
  }

 private:
  static constexpr char kKind = 0;

  const Body body_;
};

// What a body takes and returns.
template <typename Body>
struct FilterBody : FilterBody<decltype(&Body::operator())> {};
template <typename Class, typename Out, typename In>
struct FilterBody<Out (Class::*)(In) const> : FilterBody<Out (*)(In)> {};
template <typename Class, typename Out, typename In>
struct FilterBody<Out (Class::*)(In)> : FilterBody<Out (*)(In)> {};
template <typename Class, typename Out, typename In>
struct FilterBody<Out (Class::*)(In) const noexcept> : FilterBody<Out (*)(In)> {};
template <typename Class, typename Out, typename In>
struct FilterBody<Out (Class::*)(In) noexcept> : FilterBody<Out (*)(In)> {};
// Members of the item.
template <typename Class, typename Out>
struct FilterBody<Out (Class::*)() const> : FilterBody<Out (*)(Class)> {};
template <typename Class, typename Out>
struct FilterBody<Out (Class::*)()> : FilterBody<Out (*)(Class)> {};
template <typename Class, typename Out>
struct FilterBody<Out (Class::*)() const noexcept> : FilterBody<Out (*)(Class)> {};
template <typename Class, typename Out>
struct FilterBody<Out (Class::*)() noexcept> : FilterBody<Out (*)(Class)> {};
template <typename Class, typename Out>
struct FilterBody<Out Class::*> : FilterBody<Out (*)(Class)> {};
template <typename Out, typename In>
struct FilterBody<Out (*)(In) noexcept> : FilterBody<Out (*)(In)> {};
template <typename Out, typename In>
struct FilterBody<Out (*)(In)> {
  using Item = std::remove_cv_t<std::remove_reference_t<In>>;
  using Input = std::conditional_t<std::is_same_v<Item, flow_control>, void, Item>;
  using Output = std::remove_cv_t<std::remove_reference_t<Out>>;
};

// Steps that make a T into a U; void at the ends of a pipeline. One thread at a
// time for one object, any for copies.
template <typename Input, typename Output>
class filter {
 public:
  filter() = default;
  template <typename Body>
  __TBB_requires(filter_body<Body, Input, Output>)
  filter(filter_mode mode, const Body& body)
      : node_(std::make_shared<PipelineStepOf<Input, Output, std::decay_t<const Body&>>>(mode,
                                                                                         body)) {}

  filter& operator&=(const filter<Output, Output>& right) {
    *this = *this & right;
    return *this;
  }

  // As default-constructed.
  void clear() { node_.reset(); }

 private:
  template <typename T, typename U>
  friend class filter;
  template <typename T, typename V, typename U>
  friend filter<T, U> operator&(const filter<T, V>& left, const filter<V, U>& right);
  friend class Pipeline;

  PipelineNodePointer node_;
};

template <typename Body>
filter(filter_mode, Body)
    -> filter<typename FilterBody<Body>::Input, typename FilterBody<Body>::Output>;

template <typename Input, typename Output, typename Body>
__TBB_requires(filter_body<Body, Input, Output>)
filter<Input, Output> make_filter(filter_mode mode, const Body& body) {
  return filter<Input, Output>(mode, body);
}

template <typename Body>
auto make_filter(filter_mode mode, const Body& body) {
  using Function = FilterBody<std::decay_t<const Body&>>;
  return filter<typename Function::Input, typename Function::Output>(mode, body);
}

// First left, then right. Aborts if one of them is empty.
template <typename T, typename V, typename U>
filter<T, U> operator&(const filter<T, V>& left, const filter<V, U>& right) {
  __TBB_ASSERT_RELEASE(left.node_ != nullptr, "an empty filter is connected");
  __TBB_ASSERT_RELEASE(right.node_ != nullptr, "an empty filter is connected");
  filter<T, U> both;
  both.node_ = std::make_shared<PipelineChain>(left.node_, right.node_);
  return both;
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_PIPELINE_FILTER_H_
