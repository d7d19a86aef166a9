// The filters of a pipeline: what a program makes, and what runs.
//
// tbb::filter is a handle to one step or to several in a row; copies share the
// steps. A step is immutable: what a running pipeline remembers about it is in
// the pipeline.
#ifndef FILCH_TBB_COMPAT_DETAIL_PIPELINE_FILTER_H_
#define FILCH_TBB_COMPAT_DETAIL_PIPELINE_FILTER_H_

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "_assert.h"
#include "_concepts.h"
#include "_config.h"
#include "_pipeline_item.h"

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

// One step.
class PipelineStep {
 public:
  explicit PipelineStep(filter_mode mode) : mode_(mode) {}
  virtual ~PipelineStep() = default;
  PipelineStep(const PipelineStep&) = delete;
  PipelineStep& operator=(const PipelineStep&) = delete;

  filter_mode mode() const { return mode_; }
  // Takes the item out of `in` and puts its own into `out`; the control is for
  // the first step alone.
  virtual void Call(PipelineItem& in, PipelineItem& out, flow_control& control) const = 0;

 private:
  const filter_mode mode_;
};

template <typename Input, typename Output, typename Body>
class PipelineStepOf final : public PipelineStep {
 public:
  PipelineStepOf(filter_mode mode, const Body& body) : PipelineStep(mode), body_(body) {}

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
  const Body body_;
};

using PipelineSteps = std::vector<std::shared_ptr<const PipelineStep>>;

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
      : steps_{std::make_shared<PipelineStepOf<Input, Output, std::decay_t<const Body&>>>(mode,
                                                                                          body)} {}

  filter& operator&=(const filter<Output, Output>& right) {
    *this = *this & right;
    return *this;
  }

  // As default-constructed.
  void clear() { steps_.clear(); }

 private:
  template <typename T, typename U>
  friend class filter;
  template <typename T, typename V, typename U>
  friend filter<T, U> operator&(const filter<T, V>& left, const filter<V, U>& right);
  friend class Pipeline;

  PipelineSteps steps_;
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

// First left, then right.
template <typename T, typename V, typename U>
filter<T, U> operator&(const filter<T, V>& left, const filter<V, U>& right) {
  __TBB_ASSERT(!left.steps_.empty(), "an empty filter is connected");
  __TBB_ASSERT(!right.steps_.empty(), "an empty filter is connected");
  filter<T, U> both;
  both.steps_ = left.steps_;
  both.steps_.insert(both.steps_.end(), right.steps_.begin(), right.steps_.end());
  return both;
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_PIPELINE_FILTER_H_
