#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../include/oneapi/tbb/detail/_pipeline_filter.h"
#include "../include/oneapi/tbb/detail/_pipeline_gates.h"
#include "../include/oneapi/tbb/detail/_small_object_pointer.h"
#include "filch/pool/expect_work.h"
#include "filch/pool/share_spawned.h"
#include "filch/pool/stream_help.h"
#include "filch/pool/stream_start.h"
#include "filch/pool/stream_visit.h"
#include "filch/tbb_compat/src/pipeline_baton.h"
#include "filch/tbb_compat/src/pipeline_tokens.h"
#include "filch/tbb_compat/src/pipeline_turns.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/fibonacci_hash.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
namespace {

using d1::filter_mode;
using d1::PipelineToken;
using filch::StreamHelp;
using filch::StreamVisit;
using Token = d1::SmallPointer<PipelineToken>;

// More are never under way: each serial filter has a place for each of them.
constexpr std::size_t kMostTokens = filch::tbb_compat_internal::PipelineBaton<>::kMostTokens;

// Lets one token at a time through a serial step.
class Gate {
 public:
  Gate(filter_mode mode, std::size_t max_tokens)
      : in_order_(mode == filter_mode::serial_in_order), turns_(max_tokens) {}
  ~Gate() {
    while (const Token rest{turns_.TakeRest()}) {
    }
  }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void Enter(Token& token) {
    // The order of tokens without a number, from a parallel first step, is that of their
    // arrival at the first gate that keeps an order.
    if (!in_order_) {
      token->turn = turns_.DrawNumber();
    } else if (token->number == PipelineToken::kNoNumber) {
      token->turn = token->number = turns_.DrawNumber();
    } else {
      token->turn = token->number;
    }
    PipelineToken& entering = *token.release();
    if (turns_.Enter(entering, entering.turn)) token.reset(&entering);
  }

  Token Leave(const PipelineToken& token) { return Token(turns_.Leave(token.turn)); }

 private:
  const bool in_order_;
  filch::tbb_compat_internal::PipelineTurns<PipelineToken> turns_;
  // Numbers are drawn here while others look at the next gate. Aligned memory would cost a short
  // pipeline a quarter of its time.
  [[maybe_unused]] char apart_[filch::kCacheLineSize];
};

// Some steps, which belong to somebody else.
class Steps {
 public:
  Steps(const d1::PipelineStep* const* first, std::size_t count) : first_(first), count_(count) {}

  std::size_t size() const { return count_; }
  const d1::PipelineStep* operator[](std::size_t i) const { return first_[i]; }
  const d1::PipelineStep* const* begin() const { return first_; }
  const d1::PipelineStep* const* end() const { return first_ + count_; }

 private:
  const d1::PipelineStep* const* first_;
  std::size_t count_;
};

// Of all pipelines that have such steps and as many tokens. The addresses of steps' kinds may be
// neighbours, so each value is mixed in on its own.
std::uint64_t KindOf(const Steps& steps, std::size_t max_tokens) {
  std::uint64_t kind = max_tokens;
  const auto mix = [&kind](std::uint64_t value) { kind = filch::FibonacciHash(kind + value); };
  for (const d1::PipelineStep* const step : steps) {
    mix(reinterpret_cast<std::uintptr_t>(step->kind()));
    mix(static_cast<unsigned>(step->mode()));
  }
  return kind;
}

}  // namespace

class PipelineGates {
 public:
  PipelineGates(const Steps& steps, std::size_t max_tokens)
      : serial_begin_(steps[0]->mode() != filter_mode::parallel),
        gates_(steps.size() - 1),
        tokens_(max_tokens),
        start_(serial_begin_ ? std::make_optional<filch::StreamStart>(KindOf(steps, max_tokens))
                             : std::nullopt),
        help_(start_.has_value() && start_->alone()),
        baton_(max_tokens) {
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const filter_mode mode = steps[i]->mode();
      if (mode != filter_mode::parallel) gates_[i - 1].emplace(mode, max_tokens);
    }
  }

  std::size_t last_step() const { return gates_.size(); }
  // Of a serial step but the first.
  Gate& gate(std::size_t step) { return *gates_[step - 1]; }

  bool TakeOffered() {
    if (!serial_begin_) return !tokens_.stopped();
    if (!help_.IsAt(StreamHelp::OwnVisit())) StayAway();
    return baton_.TakeOffered();
  }
  bool Take() { return serial_begin_ && baton_.Take(); }
  bool Begins() { return !serial_begin_ && tokens_.Begins(); }
  bool Begun(PipelineToken& token) {
    if (!serial_begin_) return false;
    // Who is not answered for long takes what it can have by force.
    if (IsForOne()) filch::ShareSpawnedIfAsked();
    token.number = baton_.begun();
    return baton_.Begun();
  }
  bool PutDown() { return baton_.PutDown(); }
  // Who holds the baton keeps it.
  void Stop() { tokens_.Stop(); }
  bool Ended() { return serial_begin_ ? baton_.Ended() : tokens_.Ended(); }
  bool EndedOne() { return serial_begin_ ? baton_.EndedOne() : tokens_.Ended(); }

  void End() const {
    if (start_.has_value()) start_->NoteEnd(baton_.begun());
  }

  // Where the first step is parallel there is a beginning for each item.
  void ShareBeginning() const {
    if (serial_begin_ && !IsForOne()) filch::ShareSpawned();
  }
  StreamVisit* Join() {
    if (!serial_begin_) return nullptr;
    StreamVisit& visit = StreamHelp::OwnVisit();
    help_.Join(visit, baton_.begun());
    return &visit;
  }
  bool Stays(StreamVisit& visit) { return help_.Stays(visit, baton_.begun()); }
  void StayAway() {
    if (help_.Pause() == 0) return;
    filch::ShareAllSpawned();  // that may be what others wait for at their gates
    help_.StayAway([this] { return baton_.begun(); }, [this] { return tokens_.stopped(); });
  }

 private:
  // Whether one thread has begun, and nobody else has come yet.
  bool IsForOne() const { return start_->alone() && help_.IsAlone(); }

  const bool serial_begin_;
  // Of each step but the first, whose thread has the baton; parallel ones have none.
  std::vector<std::optional<Gate>> gates_;
  filch::tbb_compat_internal::PipelineTokens<> tokens_;
  // Only then threads can be too many.
  const std::optional<filch::StreamStart> start_;
  StreamHelp help_;
  alignas(filch::kCacheLineSize) filch::tbb_compat_internal::PipelineBaton<> baton_;
};

void PipelineGatesDeleter::operator()(PipelineGates* gates) const { delete gates; }

PipelineGatesPointer MakePipelineGates(const d1::PipelineStep* const* steps, std::size_t count,
                                       std::size_t max_tokens) {
  return PipelineGatesPointer(
      new PipelineGates(Steps(steps, count), std::min(max_tokens, kMostTokens)));
}

bool TakeOfferedBeginning(PipelineGates& gates) { return gates.TakeOffered(); }

bool TakeBeginning(PipelineGates& gates) { return gates.Take(); }

bool ItemBegins(PipelineGates& gates) { return gates.Begins(); }

bool ItemBegun(PipelineGates& gates, PipelineToken& token) { return gates.Begun(token); }

void NoItemBegun(PipelineGates& gates) { gates.Stop(); }

void ShareBeginning(const PipelineGates& gates) { gates.ShareBeginning(); }

bool ItemEnded(PipelineGates& gates) { return gates.Ended(); }

bool ItemEndedBeforeOthers(PipelineGates& gates) { return gates.EndedOne(); }

StreamVisit* JoinPipeline(PipelineGates& gates) { return gates.Join(); }

bool StaysAtPipeline(PipelineGates& gates, StreamVisit& visit) { return gates.Stays(visit); }

void StayAwayFromPipeline(PipelineGates& gates) {
  gates.StayAway();
  gates.Join();
}

bool PutDownBeginning(PipelineGates& gates) { return gates.PutDown(); }

void EndPipeline(const PipelineGates& gates) { gates.End(); }

void EnterStep(PipelineGates& gates, Token& token) {
  if (std::exchange(token->admitted, false)) return;  // let in by the one before it
  const std::size_t step = token->step;
  gates.gate(step).Enter(token);
  // Who is at the step gives the item away, but at the last one.
  if (token == nullptr && step != gates.last_step()) filch::ExpectWork();
}

Token LeaveStep(PipelineGates& gates, const PipelineToken& token) {
  Token next = gates.gate(token.step).Leave(token);
  if (next != nullptr) next->admitted = true;
  return next;
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
