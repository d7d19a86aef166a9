#include "filch/pool/fp_scope.h"

#include <cstdint>

#include "filch/pool/context.h"
#include "filch/topology/fp_control.h"

namespace filch {
namespace pool_internal {
namespace {

// The thread's settings outside of all scopes that change something; 0: it is in
// none.
__thread std::uint32_t settings_outside = 0;

}  // namespace

std::uint32_t FpScope::Outside() {
  return settings_outside != 0 ? settings_outside : FpControl::Read();
}

void FpScope::Begin(const Context* context) {
  std::uint32_t wanted = context != nullptr ? context->FpSettings() : 0;
  if (wanted == 0) wanted = settings_outside;
  if (wanted == 0) return;
  before_ = FpControl::Read();
  if (settings_outside == 0) {
    settings_outside = before_;
    outermost_ = true;
  }
  // Writing takes longer than reading.
  if (wanted != before_) FpControl::Write(wanted);
}

void FpScope::End() {
  if (FpControl::Read() != before_) FpControl::Write(before_);
  if (outermost_) settings_outside = 0;
}

}  // namespace pool_internal
}  // namespace filch
