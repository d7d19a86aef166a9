// PipelineGates: who may go through the serial steps of a pipeline, and how many of its items may
// be under way.
//
// Compiled once. Any thread, unless it says otherwise.
// Memory ordering: what a token's thread did before it enters or leaves a step is visible to
// whoever has the token, or the turn, after that (G1). Where the first step is serial, what was
// done before an item begins or ends is visible to who begins the next after that (T2).
#ifndef FILCH_TBB_COMPAT_DETAIL_PIPELINE_GATES_H_
#define FILCH_TBB_COMPAT_DETAIL_PIPELINE_GATES_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "_config.h"
#include "_pipeline_filter.h"
#include "_pipeline_item.h"
#include "_small_object_pointer.h"
#include "filch/pool/stream_visit.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
class PipelineGates;
}  // namespace r1

namespace d1 {

// One item on its way.
struct PipelineToken {
  static constexpr std::uint64_t kNoNumber = ~std::uint64_t{0};

  PipelineItem& item() { return items[current]; }
  PipelineItem& next_item() { return items[1 - current]; }

  // For another item, when the last one is through.
  void Renew() {
    current = 0;
    step = 0;
    number = kNoNumber;
  }

  PipelineItem items[2];
  int current = 0;
  // The step that is next, the place in the order, and among those at the last gate.
  std::size_t step = 0;
  std::uint64_t number = kNoNumber;
  std::uint64_t turn = 0;
  // It was let through the gate of that step.
  bool admitted = false;
};

}  // namespace d1

namespace r1 {

// What the gates are is known to src/pipeline_gates.cc alone.
class PipelineGatesDeleter {
 public:
  void operator()(PipelineGates* gates) const;
};
using PipelineGatesPointer = std::unique_ptr<PipelineGates, PipelineGatesDeleter>;
PipelineGatesPointer MakePipelineGates(const d1::PipelineStep* const* steps, std::size_t count,
                                       std::size_t max_tokens);

// Who makes items: one thread at a time if the first step is serial, and any for whom there is
// a token if it is parallel.

// The caller has come for a beginning that is on offer. Whether it makes an item now.
bool TakeOfferedBeginning(PipelineGates& gates);
// The same for a caller that has left its item at a gate.
bool TakeBeginning(PipelineGates& gates);
// The caller is about to make an item. Whether it offers another beginning: where the first step
// is parallel, others make theirs meanwhile.
bool ItemBegins(PipelineGates& gates);
// The item was made, and is the next in order. Whether the caller offers another beginning.
bool ItemBegun(PipelineGates& gates, d1::PipelineToken& token);
// None was made, and there will be none any more.
void NoItemBegun(PipelineGates& gates);
// The caller, who may be long with its item, has spawned what it offers. Whoever looks for work,
// now or later, need not wait for it, unless it has left more than that.
void ShareBeginning(const PipelineGates& gates);
// The item is through the last step. Whether the caller makes another one now.
bool ItemEnded(PipelineGates& gates);
// The same for a caller that has others to take through. Whether it offers a beginning.
bool ItemEndedBeforeOthers(PipelineGates& gates);

// The caller takes items on from now on, and counts them in what is returned; null: it need not.
filch::StreamVisit* JoinPipeline(PipelineGates& gates);
// It has counted StreamVisit::kItems. Whether they help; if not it takes no more, and has left.
bool StaysAtPipeline(PipelineGates& gates, filch::StreamVisit& visit);
// Who has left and put the baton down does nothing for a while, and is back.
void StayAwayFromPipeline(PipelineGates& gates);
// Whether it offers the beginning then.
bool PutDownBeginning(PipelineGates& gates);
// All items are through. The thread that has made the gates.
void EndPipeline(const PipelineGates& gates);

// The token may go through its step now; otherwise the gate keeps it and the
// pointer is null.
void EnterStep(PipelineGates& gates, d1::SmallPointer<d1::PipelineToken>& token);
// It is through its step; returns another token that may go through now, or null.
d1::SmallPointer<d1::PipelineToken> LeaveStep(PipelineGates& gates, const d1::PipelineToken& token);

}  // namespace r1

}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_PIPELINE_GATES_H_
