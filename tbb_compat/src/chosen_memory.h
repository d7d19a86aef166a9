// ChosenMemory: the source of memory that all allocators of the program use.
//
// It is chosen at the first use, or that of the scheduler, so that a program with neither pays
// nothing: to load the library and to use it first takes 0.35 ms and 0.2 MiB.
//
// Any thread, also while it is about to load a library, or has been forked. Leaves errno as
// it is.
// Memory ordering: the table is complete for whoever gets it (C1 of README.md).
#ifndef FILCH_TBB_COMPAT_SRC_CHOSEN_MEMORY_H_
#define FILCH_TBB_COMPAT_SRC_CHOSEN_MEMORY_H_

#include "filch/tbb_compat/src/memory_source.h"
#include "filch/tbb_compat/src/one_chosen.h"

namespace filch::tbb_compat_internal {

extern OneChosen<const MemorySource> chosen_memory;

const MemorySource& ChooseMemory();

inline const MemorySource& ChosenMemory() {
  const MemorySource* const chosen = chosen_memory.Get();
  return chosen != nullptr ? *chosen : ChooseMemory();
}

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_CHOSEN_MEMORY_H_
