#include "filch/pool/idle_mode.h"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace filch {

IdleMode UsualIdleMode() {
  const char* const variable = std::getenv("FILCH_IDLE");
  if (variable == nullptr) return IdleMode::kBalanced;
  const std::string_view name = variable;
  if (name == "power") return IdleMode::kPower;
  if (name == "latency") return IdleMode::kLatency;
  if (name != "balanced") {
    static const int told = std::fprintf(
        stderr, "filch: FILCH_IDLE is \"%s\"; it may be power, balanced or latency.\n", variable);
    static_cast<void>(told);
  }
  return IdleMode::kBalanced;
}

}  // namespace filch
