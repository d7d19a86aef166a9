#include "filch/pool/lone_start.h"

namespace filch {
namespace pool_internal {

__thread LoopHistory loop_history;

}  // namespace pool_internal
}  // namespace filch
