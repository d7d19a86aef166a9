#include "filch/pool/sleeping_lock.h"

namespace filch {
namespace pool_internal {

template class BasicSleepingLock<>;

}  // namespace pool_internal
}  // namespace filch
