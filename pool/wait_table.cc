#include "filch/pool/wait_table.h"

#include <new>

namespace filch {
namespace pool_internal {

template class BasicWaitTable<Parker>;

WaitTable& GlobalWaitTable() {
  // Never destroyed: threads may still wake each other while statics go away.
  // Not on the heap: the first wait must not fail because there is no memory.
  alignas(WaitTable) static unsigned char memory[sizeof(WaitTable)];
  static WaitTable* const table = ::new (memory) WaitTable;
  return *table;
}

}  // namespace pool_internal
}  // namespace filch
