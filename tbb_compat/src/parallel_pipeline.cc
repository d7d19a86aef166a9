#include "../include/oneapi/tbb/parallel_pipeline.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "../include/oneapi/tbb/detail/_assert.h"
#include "../include/oneapi/tbb/detail/_sleeping_lock.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
namespace {

using d1::filter_mode;
using d1::PipelineToken;
using d1::SleepingLock;
using Token = std::unique_ptr<PipelineToken>;

// Lets one token at a time through a serial step.
class Gate {
 public:
  explicit Gate(bool in_order) : in_order_(in_order) {}

  void Enter(Token& token) {
    const std::lock_guard<SleepingLock> lock(mutex_);
    // The order of tokens without a number, from a parallel first step, is that
    // of their arrival at the first gate that keeps an order.
    if (in_order_ && token->number == PipelineToken::kNoNumber) token->number = arrived_++;
    if (!busy_ && (!in_order_ || token->number == next_)) {
      busy_ = true;
    } else if (in_order_) {
      const std::uint64_t number = token->number;
      ordered_.emplace(number, std::move(token));
    } else {
      waiting_.push_back(std::move(token));
    }
  }

  Token Leave() {
    const std::lock_guard<SleepingLock> lock(mutex_);
    Token token;
    if (in_order_) {
      ++next_;
      const auto first = ordered_.begin();
      if (first != ordered_.end() && first->first == next_) {
        token = std::move(first->second);
        ordered_.erase(first);
      }
    } else if (!waiting_.empty()) {
      token = std::move(waiting_.front());
      waiting_.pop_front();
    }
    busy_ = token != nullptr;
    return token;
  }

 private:
  const bool in_order_;
  SleepingLock mutex_;
  bool busy_ = false;
  std::uint64_t next_ = 0;
  std::uint64_t arrived_ = 0;
  std::map<std::uint64_t, Token> ordered_;
  std::deque<Token> waiting_;
};

}  // namespace

class PipelineGates {
 public:
  PipelineGates(const d1::PipelineSteps& steps, std::size_t max_tokens)
      : serial_begin_(steps[0]->mode() != filter_mode::parallel), tokens_(max_tokens) {
    for (const auto& step : steps) {
      gates_.emplace_back(step->mode() == filter_mode::serial_in_order);
    }
  }

  Gate& gate(std::size_t step) { return gates_[step]; }

  bool MayBegin() {
    const std::lock_guard<SleepingLock> lock(mutex_);
    return MayBeginLocked();
  }

  bool Begun(PipelineToken& token) {
    const std::lock_guard<SleepingLock> lock(mutex_);
    beginning_ = false;
    if (serial_begin_) token.number = begun_++;
    return MayBeginLocked();
  }

  void Stop() {
    const std::lock_guard<SleepingLock> lock(mutex_);
    ended_ = true;
  }

  bool Ended() {
    const std::lock_guard<SleepingLock> lock(mutex_);
    ++tokens_;
    return MayBeginLocked();
  }

 private:
  // True: the caller begins one.
  bool MayBeginLocked() {
    if (ended_ || tokens_ == 0 || (serial_begin_ && beginning_)) return false;
    beginning_ = true;
    --tokens_;
    return true;
  }

  const bool serial_begin_;
  std::deque<Gate> gates_;  // of each step; parallel ones do not use theirs
  SleepingLock mutex_;      // the rest
  bool beginning_ = false;
  bool ended_ = false;
  std::uint64_t begun_ = 0;
  std::size_t tokens_;  // that may still begin
};

void PipelineGatesDeleter::operator()(PipelineGates* gates) const { delete gates; }

PipelineGatesPointer MakePipelineGates(const d1::PipelineSteps& steps, std::size_t max_tokens) {
  __TBB_ASSERT_RELEASE(!steps.empty(), "a pipeline needs a filter");
  __TBB_ASSERT_RELEASE(max_tokens > 0, "a pipeline needs a token");
  return PipelineGatesPointer(new PipelineGates(steps, max_tokens));
}

bool MayBeginItem(PipelineGates& gates) { return gates.MayBegin(); }

bool ItemBegun(PipelineGates& gates, PipelineToken& token) { return gates.Begun(token); }

void NoItemBegun(PipelineGates& gates) { gates.Stop(); }

bool ItemEnded(PipelineGates& gates) { return gates.Ended(); }

void EnterStep(PipelineGates& gates, Token& token) {
  if (std::exchange(token->admitted, false)) return;  // let in by the one before it
  gates.gate(token->step).Enter(token);
}

Token LeaveStep(PipelineGates& gates, std::size_t step) {
  Token next = gates.gate(step).Leave();
  if (next != nullptr) next->admitted = true;
  return next;
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
