// ScanBody: the body of a scan's loop, whose units are amounts of work, and what they leave over.
#ifndef FILCH_POOL_SCAN_BODY_H_
#define FILCH_POOL_SCAN_BODY_H_

#include <cstdint>

#include "filch/pool/loop_body.h"

namespace filch {

class ScanBody : public LoopBody {
 public:
  // When the loop is over and was not cancelled: the body of a loop over what is left of the scan,
  // or over a part of it, with so many units, or null if nothing is.  It lasts until the next call.
  // Throws std::bad_alloc.  The thread that runs the loop.
  virtual LoopBody* GatherLeftOver(std::uint32_t* units) = 0;
  // When that loop is over, too: of so many units this one is to be run again, before more is
  // gathered.  The same thread.
  virtual std::uint32_t BeginAgain() = 0;

 protected:
  using LoopBody::LoopBody;
  ~ScanBody() = default;
};

}  // namespace filch

#endif  // FILCH_POOL_SCAN_BODY_H_
