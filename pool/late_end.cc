#include "filch/pool/late_end.h"

#include <pthread.h>

namespace filch {
namespace pool_internal {

LateEnd::LateEnd(Function at_end)
    : at_end_(at_end), has_key_(pthread_key_create(&key_, &LateEnd::Call) == 0) {}

void LateEnd::Call(void* late_end) { static_cast<const LateEnd*>(late_end)->at_end_(); }

void LateEnd::ExpectIt() const {
  // Without memory for the value there is no such end either.
  if (has_key_) static_cast<void>(pthread_setspecific(key_, this));
}

}  // namespace pool_internal
}  // namespace filch
