#include "filch/tbb_compat/src/owner_lock.h"

namespace filch::tbb_compat_internal {

template class BasicOwnerLock<>;

}  // namespace filch::tbb_compat_internal
