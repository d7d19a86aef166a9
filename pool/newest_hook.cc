#include "filch/pool/newest_hook.h"

namespace filch {
namespace pool_internal {

HookNumber newest_hooks[kHookIndices];

}  // namespace pool_internal
}  // namespace filch
