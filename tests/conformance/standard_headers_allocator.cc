#include <tbb/tbb_allocator.h>

#include "tests/conformance/standard_headers_test.h"

bool BehindAnAllocator() {
  void* const memory = std::malloc(sizeof(int));
  std::free(memory);
  const std::vector<std::string> words(2, "word");
  return std::pmr::new_delete_resource() != nullptr && words.back() == "word";
}
