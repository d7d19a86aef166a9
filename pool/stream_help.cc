#include "filch/pool/stream_help.h"

#include "filch/pool/loop_history.h"

namespace filch {

StreamVisit& StreamHelp::OwnVisit() { return pool_internal::LoopHistory::Own().visit; }

}  // namespace filch
