// Threads that look at a GrowingList, the production source, while another one adds to it: they
// find what has been added, as it was made.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_GROWING_LIST_SCENARIOS_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_GROWING_LIST_SCENARIOS_H_

#include <oneapi/tbb/detail/_growing_list.h>

#include <atomic>
#include <cstddef>
#include <new>

//
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

struct ModelListMemory {
  static void* Allocate(std::size_t bytes) { return ::operator new(bytes); }
  static void Free(void* memory, std::size_t) { ::operator delete(memory); }
};

// V1: the first thread adds `items` items, and there is room for two until it makes more; each of
// the others looks at all that it finds, twice.
template <unsigned threads, std::size_t items>
struct LookWhileItGrows : rl::test_suite<LookWhileItGrows<threads, items>, threads> {
  tbb::detail::d1::GrowingList<Plain<int>, ModelListMemory, PoolModelAtomics, 2> list;
  Plain<int> made[items];

  void before() { list.Reserve(1); }
  void thread(unsigned index) {
    if (index == 0) {
      for (Plain<int>& item : made) {
        item = 1;
        list.Reserve(list.Size() + 1);
        list.Add(&item);
      }
      return;
    }
    std::size_t seen = 0;
    for (int times = 0; times < 2; ++times) {
      const std::size_t size = list.Size();
      RL_ASSERT(size >= seen && size <= items);
      seen = size;
      for (std::size_t i = 0; i < size; ++i) {
        RL_ASSERT(list[i] == &made[i]);
        RL_ASSERT(*list[i] == 1);
      }
    }
  }
  void after() { RL_ASSERT(list.Size() == items); }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_GROWING_LIST_SCENARIOS_H_
