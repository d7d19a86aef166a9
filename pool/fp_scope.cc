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
  if (wanted == 0) return;
  before_ = FpControl::Read();
  // Writing takes longer than reading.
  if (wanted != before_) FpControl::Write(wanted);
}

void FpScope::End() {
  if (FpControl::Read() != before_) FpControl::Write(before_);
}

void OutermostFp::Begin(const Slot& slot) {
  before_ = FpControl::Read();
  if (slot.fp_settings != 0 && slot.fp_settings != before_) FpControl::Write(slot.fp_settings);
}

void OutermostFp::End() {
  if (FpControl::Read() != before_) FpControl::Write(before_);
}

}  // namespace pool_internal
}  // namespace filch
