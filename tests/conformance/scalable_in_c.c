#include "tests/conformance/scalable_in_c.h"

#include <tbb/scalable_allocator.h>

int ScalableFunctionsInC(void) {
  int* const numbers = (int*)scalable_calloc(10, sizeof(int));
  int* const aligned = (int*)scalable_aligned_malloc(64, 64);
  const int failed = numbers == NULL || numbers[9] != 0 || aligned == NULL;
  scalable_free(numbers);
  scalable_aligned_free(aligned);
  return failed || scalable_allocation_mode(USE_HUGE_PAGES, 0) != TBBMALLOC_OK;
}
