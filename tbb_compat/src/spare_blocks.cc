#include "filch/tbb_compat/src/spare_blocks.h"

#include <cstddef>
#include <new>
#include <type_traits>

#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/held_blocks.h"
#include "filch/tbb_compat/src/memory_source.h"

namespace filch::tbb_compat_internal {
namespace {

struct Spares {
  void Free(BlockList given) const {
    while (!given.is_empty()) source->free(given.Pop());
  }
  void GiveUp() {
    BlockList all;
    blocks.GiveUp(&all);
    Free(all);
  }

  const MemorySource* source = nullptr;
  HeldBlocks<SpareBlocks::kMost, SpareBlocks::kMostBytes> blocks;
};
static_assert(std::is_trivially_destructible_v<Spares>);

// Of a thread that keeps none: it is ending, or about to learn what it has to do then.
Spares nobodys;

// The calling thread's, or null. As current_slot: an access is no call, in a shared library
// either, of which all threads have little room for more.
__thread Spares* spares __attribute__((tls_model("initial-exec"))) = nullptr;

bool HasOwn() { return spares != nullptr && spares != &nobodys; }

struct End {
  ~End() {
    if (HasOwn()) {
      spares->GiveUp();
      spares->source->free(spares);
    }
    spares = &nobodys;
  }
};
// Not in a function, where it would have a guard of eight bytes.
thread_local const End at_the_end;

// Null if there is no memory.
Spares* Make(const MemorySource& source) {
  // To register `at_the_end` takes memory, which may be the allocators'.
  spares = &nobodys;
  static_cast<void>(&at_the_end);
  void* const memory = source.allocate(sizeof(Spares));
  return spares = memory == nullptr ? nullptr : ::new (memory) Spares{&source, {}};
}

}  // namespace

void* SpareBlocks::TakeLarge(std::size_t size, std::size_t alignment) {
  return HasOwn() ? spares->blocks.Take(size, size + size / 8 + kPlace, alignment) : nullptr;
}

void SpareBlocks::FreeAtPlace(const MemorySource& source, void* memory) {
  if (memory == nullptr || !source.scalable) return source.free(memory);
  const std::size_t size = source.usable_size(memory);
  if (!IsSize(size)) return source.free(memory);
  Spares* const keeper = spares != nullptr ? spares : Make(source);
  if (keeper == nullptr || keeper == &nobodys) return source.free(memory);
  keeper->Free(keeper->blocks.Hold(memory, size));
}

void SpareBlocks::GiveUp() {
  if (HasOwn()) spares->GiveUp();
}

}  // namespace filch::tbb_compat_internal
