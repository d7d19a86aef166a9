#include "filch/pool/attached_threads.h"

namespace filch {
namespace pool_internal {

AttachedThreads attached_threads;

}  // namespace pool_internal
}  // namespace filch
