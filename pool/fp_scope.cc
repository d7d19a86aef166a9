#include "filch/pool/fp_scope.h"

#include <cstdint>

#include "filch/pool/context.h"
#include "filch/pool/slot.h"
#include "filch/topology/fp_control.h"

namespace filch {
namespace pool_internal {

void FpScope::Begin(const Context* context, const Slot& slot) {
  std::uint32_t wanted = context != nullptr ? context->FpSettings() : 0;
  if (wanted == 0) wanted = slot.fp_settings;
  if (wanted != 0) before_ = FpControl::Exchange(wanted);
}

void FpScope::End() { FpControl::Exchange(before_); }

void OutermostFp::Begin(const Slot& slot) { before_ = FpControl::Change(slot.fp_settings); }

void OutermostFp::End() {
  if (__builtin_expect(before_ != 0, 0)) FpControl::Exchange(before_);
}

}  // namespace pool_internal
}  // namespace filch
