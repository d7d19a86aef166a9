#include "filch/pool/thread_table.h"

#include <cstdint>

namespace filch {

std::uintptr_t ThreadNumber() {
  static thread_local char own;
  return reinterpret_cast<std::uintptr_t>(&own);
}

}  // namespace filch
