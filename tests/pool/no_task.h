// NoTask: a task that does nothing.
#ifndef FILCH_TESTS_POOL_NO_TASK_H_
#define FILCH_TESTS_POOL_NO_TASK_H_

#include "filch/pool/task.h"

namespace filch {

class NoTask final : public Task {
 public:
  NoTask() : Task([](Task&, Execution&) noexcept -> Task* { return nullptr; }, nullptr) {}
};

}  // namespace filch

#endif  // FILCH_TESTS_POOL_NO_TASK_H_
