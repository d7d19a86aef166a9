#include "../include/oneapi/tbb/tbbmalloc_proxy.h"

extern "C" int TBB_malloc_replacement_log(char*** function_replacement_log_ptr) {
  if (function_replacement_log_ptr != nullptr) *function_replacement_log_ptr = nullptr;
  return -1;
}
