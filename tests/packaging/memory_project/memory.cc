// Says where the allocators' memory comes from; with an argument, uses a block after it was
// freed.
#include <tbb/scalable_allocator.h>
#include <tbb/tbb_allocator.h>

#include <cstdio>

int main(int argc, char**) {
  using Allocator = tbb::tbb_allocator<int>;
  const bool scalable = Allocator::allocator_type() == Allocator::scalable;
  auto* const block = static_cast<volatile char*>(scalable_malloc(100));
  block[1] = 1;
  if (argc == 1) std::puts(scalable ? "memory: scalable" : "memory: standard");
  scalable_free(const_cast<char*>(block));
  return argc > 1 ? block[1] : 0;
}
