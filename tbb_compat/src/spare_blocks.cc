#include "filch/tbb_compat/src/spare_blocks.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "filch/tbb_compat/src/block_list.h"
#include "filch/tbb_compat/src/held_blocks.h"
#include "filch/tbb_compat/src/memory_source.h"
#include "filch/tbb_compat/src/soft_limit.h"

namespace filch::tbb_compat_internal {
namespace {

// Frees a block, of whose pages the system takes the memory first: mimalloc keeps what it has
// touched of its reserve.
void FreeToSystem(const MemorySource& source, void* memory) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) & -page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + source.usable_size(memory)) & -page;
  const int error_before = errno;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
  errno = error_before;
  source.free(memory);
}

struct Spares {
  void Free(BlockList given) const {
    while (!given.is_empty()) source->free(given.Pop());
  }
  void GiveUp() {
    BlockList all;
    blocks.GiveUp(&all);
    Free(all);
  }
  void GiveUpToSystem() {
    BlockList all;
    blocks.GiveUp(&all);
    while (!all.is_empty()) FreeToSystem(*source, all.Pop());
  }

  // Whether the process has too much memory to keep any, now that the thread frees so much.
  bool HasTooMuch(std::size_t freed) {
    if (!SoftLimit::IsSet()) return false;
    if (freed < until_look) {
      until_look -= freed;
    } else {
      too_much = SoftLimit::IsExceeded();
      until_look = SpareBlocks::kLook;
    }
    return too_much;
  }

  const MemorySource* source = nullptr;
  HeldBlocks<SpareBlocks::kMost, SpareBlocks::kMostBytes> blocks;
  std::size_t until_look = 0;
  bool too_much = false;
};
static_assert(std::is_trivially_destructible_v<Spares>);

// Of a thread that keeps none: it has ended theirs, or is about to learn how.
Spares nobodys;

// The calling thread's, or null. As current_slot: an access is no call, in a shared library
// either, of which all threads have little room for more.
__thread Spares* spares __attribute__((tls_model("initial-exec"))) = nullptr;

bool HasOwn() { return spares != nullptr && spares != &nobodys; }

// When a thread ends, after its thread-local objects. What destructors of other keys free after
// that is not kept.
void End(void*) {
  if (HasOwn()) {
    spares->GiveUp();
    spares->source->free(spares);
  }
  spares = &nobodys;
}

// A key, and not an object of each thread: who registers one takes the loader's lock, which may
// be held by a thread that waits for this one, in a constructor of what it loads.
constexpr pthread_key_t kNoKey = ~pthread_key_t{0};
std::atomic<pthread_key_t> end_key{kNoKey};

// As long as this code is loaded.
class EndKey {
 public:
  EndKey() {
    pthread_key_t key = kNoKey;
    if (pthread_key_create(&key, &End) == 0) {
      end_key.store(key, std::memory_order_relaxed);  // E1: a number
    }
  }
  ~EndKey() {
    const pthread_key_t key = end_key.exchange(kNoKey, std::memory_order_relaxed);  // E1: no more
    if (key != kNoKey) pthread_key_delete(key);
  }
};
const EndKey end_key_while_loaded;

// Null if none are kept: there is no key, or no memory.
Spares* Make(const MemorySource& source) {
  const pthread_key_t key = end_key.load(std::memory_order_relaxed);  // E1: a number
  if (key == kNoKey) return nullptr;
  void* const memory = source.allocate(sizeof(Spares));
  if (memory == nullptr) return nullptr;
  auto* const made = ::new (memory) Spares{&source, {}, 0, false};
  // The key's value may take memory, which may be the allocators'.
  spares = &nobodys;
  const bool ends = pthread_setspecific(key, made) == 0;
  spares = ends ? made : nullptr;
  if (!ends) source.free(memory);
  return spares;
}

}  // namespace

void* SpareBlocks::TakeLarge(std::size_t size, std::size_t alignment) {
  return HasOwn() ? spares->blocks.Take(size, size + size / 8 + kPlace, alignment) : nullptr;
}

void SpareBlocks::FreeAtPlace(const MemorySource& source, void* memory) {
  if (memory == nullptr || !source.scalable) return source.free(memory);
  const std::size_t size = source.usable_size(memory);
  if (size < kSmallest) return source.free(memory);
  Spares* const keeper = spares != nullptr ? spares : Make(source);
  if (keeper == nullptr || keeper == &nobodys) return source.free(memory);
  if (__builtin_expect(keeper->HasTooMuch(size), 0)) {
    keeper->GiveUpToSystem();
    return FreeToSystem(source, memory);
  }
  if (!IsSize(size)) return source.free(memory);
  keeper->Free(keeper->blocks.Hold(memory, size));
}

void SpareBlocks::GiveUp() {
  if (HasOwn()) spares->GiveUpToSystem();
}

}  // namespace filch::tbb_compat_internal
