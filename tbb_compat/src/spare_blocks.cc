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
  explicit Spares(const MemorySource& its_source) : source(its_source) {}

  void Free(BlockList given) const {
    while (!given.is_empty()) source.free(given.Pop());
  }
  void GiveUp() {
    BlockList all;
    blocks.GiveUp(&all);
    Free(all);
  }

  const MemorySource& source;
  HeldBlocks<SpareBlocks::kMost, SpareBlocks::kMostBytes> blocks;
};
static_assert(std::is_trivially_destructible_v<Spares>);

// The calling thread's, or null. As current_slot: an access is no call, in a shared library
// either.
__thread Spares* spares __attribute__((tls_model("initial-exec"))) = nullptr;
// Whether the thread is ending, or about to learn what it has to do then.
__thread bool keeps_none __attribute__((tls_model("initial-exec"))) = false;

struct End {
  ~End() {
    keeps_none = true;
    if (spares == nullptr) return;
    spares->GiveUp();
    spares->source.free(spares);
    spares = nullptr;
  }
};

// Null if none are kept, or if there is no memory.
Spares* Make(const MemorySource& source) {
  if (keeps_none) return nullptr;
  // To register `at_the_end` takes memory, which may be the allocators'.
  keeps_none = true;
  thread_local const End at_the_end;
  static_cast<void>(at_the_end);
  keeps_none = false;
  void* const memory = source.allocate(sizeof(Spares));
  if (memory != nullptr) spares = ::new (memory) Spares(source);
  return spares;
}

}  // namespace

void* SpareBlocks::TakeLarge(std::size_t size, std::size_t alignment) {
  return spares == nullptr ? nullptr
                           : spares->blocks.Take(size, size + size / 8 + kPlace, alignment);
}

void SpareBlocks::FreeAtPlace(void* memory, const MemorySource& source) {
  if (memory == nullptr || !source.scalable) return source.free(memory);
  const std::size_t size = source.usable_size(memory);
  Spares* keeper = spares;
  if (!IsSize(size) || (keeper == nullptr && (keeper = Make(source)) == nullptr)) {
    return source.free(memory);
  }
  keeper->Free(keeper->blocks.Hold(memory, size));
}

void SpareBlocks::GiveUp() {
  if (spares != nullptr) spares->GiveUp();
}

}  // namespace filch::tbb_compat_internal
