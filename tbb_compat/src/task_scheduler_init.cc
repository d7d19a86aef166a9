#include "../include/oneapi/tbb/task_scheduler_init.h"

#include <cstddef>
#include <memory>

#include "../include/oneapi/tbb/global_control.h"
#include "filch/pool/default_pool.h"
#include "filch/pool/pool.h"
#include "filch/topology/contract.h"

namespace tbb {
namespace {

// How many active objects the thread has: the first one decides.
thread_local int active_objects = 0;

}  // namespace

void task_scheduler_init::initialize(int number_of_threads, std::size_t stack_size) {
  if (number_of_threads == deferred || active_) return;
  if (number_of_threads != automatic && number_of_threads < 1) {
    filch::Fail(
        "tbb::task_scheduler_init: the number of threads is neither automatic nor positive.");
  }
  if (active_objects == 0 && number_of_threads != automatic) {
    limit_ = std::make_unique<global_control>(global_control::max_allowed_parallelism,
                                              static_cast<std::size_t>(number_of_threads));
  }
  if (active_objects == 0 && stack_size != 0) {
    stack_ = std::make_unique<global_control>(global_control::thread_stack_size, stack_size);
  }
  ++active_objects;
  active_ = true;
}

void task_scheduler_init::terminate() {
  if (!active_) return;
  active_ = false;
  --active_objects;
  limit_.reset();
  stack_.reset();
}

int task_scheduler_init::default_num_threads() { return filch::DefaultPool().concurrency(); }

}  // namespace tbb
