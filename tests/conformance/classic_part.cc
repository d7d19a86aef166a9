#include "classic_part.h"

#include <tbb/task.h>
#include <tbb/task_arena.h>
#include <tbb/tbb_stddef.h>

#include <cstdint>

namespace {

struct Summation : tbb::task {
  Summation(std::int64_t first, std::int64_t last, std::int64_t* result)
      : begin(first), end(last), sum(result) {}
  tbb::task* execute() override {
    if (end - begin < 100) {
      *sum = 0;
      for (std::int64_t i = begin; i != end; ++i) *sum += i;
      return nullptr;
    }
    const std::int64_t middle = begin + (end - begin) / 2;
    std::int64_t left = 0;
    std::int64_t right = 0;
    set_ref_count(3);
    spawn(*new (allocate_child()) Summation(middle, end, &right));
    spawn_and_wait_for_all(*new (allocate_child()) Summation(begin, middle, &left));
    *sum = left + right;
    return nullptr;
  }
  const std::int64_t begin;
  const std::int64_t end;
  std::int64_t* const sum;
};

}  // namespace

std::int64_t SumWithTasks(std::int64_t begin, std::int64_t end) {
  std::int64_t sum = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Summation(begin, end, &sum));
  return sum;
}

int ClassicInterfaceVersion() { return TBB_INTERFACE_VERSION; }

int ClassicRuntimeInterfaceVersion() { return TBB_runtime_interface_version(); }

int ClassicThreadIndex() { return tbb::task_arena::current_thread_index(); }
