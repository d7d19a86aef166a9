// RunCutLoop: a loop over a range that only its caller knows how to cut.
//
// The caller cuts the range and shares the pieces by forks; whether that is worth it is
// decided here, as for RunIndexLoop.  A loop of a kind whose first pieces have ended before
// anybody came to help, several times in a row, begins on the calling thread alone, and goes
// on so until what is left is worth help.  Any other is shared from its first piece on, for
// that may wait for a second thread.
//
// Memory ordering: what happened before RunCutLoop is visible to every piece, and what the
// pieces did is visible after it.
#ifndef FILCH_POOL_CUT_LOOP_H_
#define FILCH_POOL_CUT_LOOP_H_

#include <cstdint>

#include "filch/pool/context.h"
#include "filch/pool/first_units.h"
#include "filch/pool/loop_body.h"

namespace filch {

// What such a loop does.  Its units are the pieces that TryToCut makes possible; `Run` runs
// them in their order, and may run more than it is told to where a piece is larger.
class CutLoop : public LoopBody {
 public:
  // Cuts the range until the first of `units` equal pieces can be run, a power of two.
  // False: it cannot be cut so small.  Once at most.
  virtual bool TryToCut(std::uint32_t units) = 0;

  // Runs what has not been run, with whoever comes, and says when the first piece begins and when
  // it has ended, unless `first` is null.  Once at most.  Throws what the loop does not keep.
  virtual void Share(pool_internal::FirstUnits* first) = 0;

 protected:
  using LoopBody::LoopBody;
  ~CutLoop() = default;
};

// Runs all of the loop, and throws what it throws.  The loop works under `context`:
// once that is cancelled, it starts nothing more.  Any thread.
void RunCutLoop(CutLoop& loop, Context& context);

}  // namespace filch

#endif  // FILCH_POOL_CUT_LOOP_H_
