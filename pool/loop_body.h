// LoopBody: what a loop over units does.
#ifndef FILCH_POOL_LOOP_BODY_H_
#define FILCH_POOL_LOOP_BODY_H_

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/loop_kind.h"

namespace filch {

// Any number of threads at once.
class LoopBody {
 public:
  // Bodies of a kind do similar things.
  LoopKind& kind() const { return kind_; }

  // Runs some units.  `*segment` is null at the beginning of each run of
  // neighbouring units; what the body leaves there it gets back for as long as
  // the units of the following calls continue those of this one.  What it
  // throws cancels the loop.
  virtual void Run(UnitInterval units, void** segment) = 0;

 protected:
  explicit LoopBody(LoopKind& kind) : kind_(kind) {}
  ~LoopBody() = default;

 private:
  LoopKind& kind_;
};

}  // namespace filch

#endif  // FILCH_POOL_LOOP_BODY_H_
