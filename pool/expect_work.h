// ExpectWork: says that something to do will come back to the calling thread soon.
//
// A thread whose last finds were over sooner than they were fetched leaves the others time before
// it looks for work again (Patience).  But it may have left something with them that it will go on
// with, like an item at a gate which another one is just going through.  Then it looks as often,
// the next time it finds nothing, as if its finds had been worth it.  Pipelines of three items
// whose work, 2 us, is in two serial filters before the last one take 0.92 of the time so (two
// virtual AMD EPYC processors, 2026-11-30).
//
// Any thread, in an arena.
#ifndef FILCH_POOL_EXPECT_WORK_H_
#define FILCH_POOL_EXPECT_WORK_H_

#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace filch {

inline void ExpectWork() { pool_internal::CurrentSlot().expects_work = true; }

}  // namespace filch

#endif  // FILCH_POOL_EXPECT_WORK_H_
