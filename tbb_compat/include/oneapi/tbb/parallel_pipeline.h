// parallel_pipeline: passes items through a row of filters, several items at a
// time.
//
// The first filter makes items until it calls flow_control::stop(). A parallel
// filter may be called for several items at once, a serial one for one after
// the other: serial_in_order in the order of the first filter that was serial,
// serial_out_of_order as they come. At most `max_number_of_live_tokens` items
// are between the first and the last filter.
//
// Any thread. Exceptions and cancellation as in parallel_for; items that are
// under way then are destroyed.
//
//   tbb::parallel_pipeline(8,
//       tbb::make_filter<void, Block>(tbb::filter_mode::serial_in_order, read) &
//       tbb::make_filter<Block, Block>(tbb::filter_mode::parallel, compress) &
//       tbb::make_filter<Block, void>(tbb::filter_mode::serial_in_order, write));
#ifndef FILCH_TBB_COMPAT_PARALLEL_PIPELINE_H_
#define FILCH_TBB_COMPAT_PARALLEL_PIPELINE_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <utility>

#include "detail/_assert.h"
#include "detail/_config.h"
#include "detail/_context_use.h"
#include "detail/_own_context.h"
#include "detail/_pipeline_filter.h"
#include "detail/_pipeline_gates.h"
#include "detail/_pipeline_item.h"
#include "detail/_run_guarded.h"
#include "detail/_small_object_pointer.h"
#include "detail/_task_group_context.h"
#include "filch/pool/stream_visit.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/catch_all.h"
#include "task_group.h"     // comes along
#include "tbb_allocator.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// A pipeline while it runs. Each task takes one item as far as it gets.
class Pipeline {
 public:
  template <typename Filter>
  Pipeline(std::size_t max_tokens, const Filter& all, filch::Context& context)
      : all_(all.node_), steps_(StepsOf(all_.get())), tasks_(context) {
    __TBB_ASSERT_RELEASE(!steps_.empty(), "a pipeline needs a filter");
    __TBB_ASSERT_RELEASE(max_tokens > 0, "a pipeline needs a token");
    // One serial filter leaves nothing to others, and nothing to be passed on.
    if (steps_.size() > 1 || steps_[0]->mode() == filter_mode::parallel) {
      gates_ = r1::MakePipelineGates(steps_.data(), steps_.size(), max_tokens);
    }
  }

  // The calling thread begins, as if a task of the pipeline did.
  void Run() {
    if (!tasks_.context().IsCancelled()) {
      FILCH_TRY {
        RunGuarded(tasks_.context(), [this] {
          if (gates_ == nullptr) return RunAlone();
          TakeOffer();
        });
      }
      FILCH_CATCH_ALL { tasks_.context().CaptureCurrentException(); }
    }
    tasks_.Wait();
    if (gates_ != nullptr && !tasks_.context().IsCancelled()) r1::EndPipeline(*gates_);
  }

 private:
  using Token = SmallPointer<PipelineToken>;

  static PipelineSteps StepsOf(const PipelineNode* all) {
    PipelineSteps steps;
    if (all == nullptr) return steps;
    steps.reserve(8);  // one allocation mostly
    all->AppendTo(steps);
    return steps;
  }

  // While it lasts a thread takes items on.
  class Visit {
   public:
    explicit Visit(r1::PipelineGates& gates) : gates_(gates), help_(r1::JoinPipeline(gates)) {}
    Visit(const Visit&) = delete;
    Visit& operator=(const Visit&) = delete;

    // After each of them. False: the thread has left, for it is of no help.
    bool Stays() {
      if (help_ == nullptr || ++help_->items < filch::StreamVisit::kItems) return true;
      stays_ = r1::StaysAtPipeline(gates_, *help_);
      return stays_;
    }
    // After the last one. Who has left does nothing for a while.
    void End() {
      if (!stays_) r1::StayAwayFromPipeline(gates_);
    }

   private:
    r1::PipelineGates& gates_;
    filch::StreamVisit* const help_;
    bool stays_ = true;
  };

  void RunAlone() {
    const PipelineStep& step = *steps_[0];
    PipelineItem nothing;
    flow_control control;
    do {
      step.Call(nothing, nothing, control);
    } while (!control.stopped_ && !tasks_.context().IsCancelled());
  }

  void TakeOffer() {
    if (!r1::TakeOfferedBeginning(*gates_)) return;
    Visit visit(*gates_);
    Begin(visit, MakeSmall<PipelineToken>());
    visit.End();
  }
  void OfferBeginning() {
    tasks_.Run([this] { RunGuarded([this] { TakeOffer(); }); });
    r1::ShareBeginning(*gates_);
  }
  void StartRest(Token token) {
    tasks_.Run([this, token = std::move(token)]() mutable {
      RunGuarded([this, &token] { Continue(std::move(token)); });
    });
  }

  // Makes an item and takes it on, again and again.
  void Begin(Visit& visit, Token token) {
    do {
      if (r1::ItemBegins(*gates_)) OfferBeginning();
      flow_control control;
      steps_[0]->Call(token->next_item(), token->item(), control);
      if (control.stopped_) return r1::NoItemBegun(*gates_);
      token->step = 1;
      // This thread goes on with its own item.
      if (r1::ItemBegun(*gates_, *token)) OfferBeginning();
    } while (TakesOn(visit, token));
  }

  void Continue(Token token) {
    Visit visit(*gates_);
    if (TakesOn(visit, token)) Begin(visit, std::move(token));
    visit.End();
  }

  // Takes the item as far as it gets. Whether the caller makes another one now, for the token.
  bool TakesOn(Visit& visit, Token& token) {
    const bool begins = End(token);
    if (visit.Stays()) return begins;
    if (begins && r1::PutDownBeginning(*gates_)) OfferBeginning();
    return false;
  }

  // Takes the item through the rest of its steps. Whether the caller makes another one now,
  // for the token.
  bool End(Token& token) {
    const bool ended = Pass(token);
    if (tasks_.context().IsCancelled()) return false;
    if (ended) {
      if (!r1::ItemEnded(*gates_)) return false;
    } else {
      if (!r1::TakeBeginning(*gates_)) return false;
      token = MakeSmall<PipelineToken>();
    }
    token->Renew();
    return true;
  }

  // Takes the item through its steps, and after it those that wait for it at the last one.
  // False: a gate keeps it, or it is dropped.
  bool Pass(Token& token) {
    flow_control control;
    while (token->step < steps_.size()) {
      const std::size_t step = token->step;
      const bool serial = steps_[step]->mode() != filter_mode::parallel;
      if (serial) {
        r1::EnterStep(*gates_, token);
        if (token == nullptr) return false;
      }
      // Where items go one by one, none follows one that has cancelled all.
      if (tasks_.context().IsCancelled()) return false;
      steps_[step]->Call(token->item(), token->next_item(), control);
      Token next = serial ? r1::LeaveStep(*gates_, *token) : nullptr;
      token->current = 1 - token->current;
      token->step = step + 1;
      if (next == nullptr) continue;
      if (token->step < steps_.size()) {
        StartRest(std::move(next));
      } else {
        // The last step is short mostly, but somebody may have to begin an item for it to end.
        if (r1::ItemEndedBeforeOthers(*gates_)) OfferBeginning();
        token = std::move(next);
      }
    }
    return true;
  }

  const PipelineNodePointer all_;  // the filter may be cleared meanwhile
  const PipelineSteps steps_;
  r1::PipelineGatesPointer gates_;  // null: one thread does it all
  filch::WaitGroup tasks_;
};

inline void parallel_pipeline(std::size_t max_number_of_live_tokens,
                              const filter<void, void>& filter_chain) {
  WithOwnContext([&](filch::Context& context) {
    Pipeline(max_number_of_live_tokens, filter_chain, context).Run();
  });
}

inline void parallel_pipeline(std::size_t max_number_of_live_tokens,
                              const filter<void, void>& filter_chain, task_group_context& context) {
  WithContext(context, [&](filch::Context& c) {
    Pipeline(max_number_of_live_tokens, filter_chain, c).Run();
  });
}

// Filters in a row, and a context after them or none.
template <typename F1, typename F2, typename... Rest>
void parallel_pipeline(std::size_t max_number_of_live_tokens, const filter<void, F1>& filter1,
                       const filter<F1, F2>& filter2, Rest&&... rest) {
  d1::parallel_pipeline(max_number_of_live_tokens, filter1 & filter2, std::forward<Rest>(rest)...);
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::filter;
using detail::d1::filter_mode;
using detail::d1::flow_control;
using detail::d1::make_filter;
using detail::d1::parallel_pipeline;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_PIPELINE_H_
