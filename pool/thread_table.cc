#include "filch/pool/thread_table.h"

namespace filch {
namespace pool_internal {

__thread char own_byte = 0;

}  // namespace pool_internal
}  // namespace filch
