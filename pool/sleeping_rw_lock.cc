#include "filch/pool/sleeping_rw_lock.h"

namespace filch {
namespace pool_internal {

template class BasicSleepingRwLock<>;

}  // namespace pool_internal
}  // namespace filch
