#include "filch/pool/newest_hook.h"

namespace filch {
namespace pool_internal {

HookNumber newest_hooks[kHookNumbers];

}  // namespace pool_internal
}  // namespace filch
