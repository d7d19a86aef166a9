// AsIfAwake: makes a new arena one where somebody is awake, as far as a thread in it knows.
#ifndef FILCH_TESTS_POOL_AS_IF_AWAKE_H_
#define FILCH_TESTS_POOL_AS_IF_AWAKE_H_

#include <cstdint>

#include "filch/pool/slot.h"
#include "filch/pool/task.h"
#include "gtest/gtest.h"
#include "tests/pool/no_task.h"

namespace filch {

// The first task of an arena calls somebody, whoever there is, and nobody has asked for another
// call then.  The thread in the slot.
inline void AsIfAwake(pool_internal::Slot& slot) {
  NoTask task;
  slot.Spawn(task);
  Task* own = nullptr;
  std::uint64_t isolation = 0;
  ASSERT_TRUE(slot.deque.Pop(&own, &isolation));
  ASSERT_EQ(own, &task);
  ASSERT_FALSE(slot.need_wake->IsAsked());
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_AS_IF_AWAKE_H_
