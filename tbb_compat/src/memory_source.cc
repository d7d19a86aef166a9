#include "filch/tbb_compat/src/memory_source.h"

#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>

// The sanitizers' runtimes, null where the program has none. They see malloc: of memory
// from elsewhere AddressSanitizer does not know when it is freed, ThreadSanitizer not that
// a block that is handed out again is another one, MemorySanitizer not that it is fresh,
// and LeakSanitizer not what it points to. Asked of the program and not of this file's
// compiler, for a library without a sanitizer may be part of a program with one.
extern "C" {
__attribute__((weak)) void __asan_init();
__attribute__((weak)) void __hwasan_init();
__attribute__((weak)) void __lsan_init();
__attribute__((weak)) void __msan_init();
__attribute__((weak)) void __tsan_init();

// oneTBB's malloc proxy, if the program has it.
__attribute__((weak)) void* __TBB_malloc_proxy(std::size_t size);
}

namespace filch::tbb_compat_internal {
namespace {

bool ProgramHasSanitizer() {
  return __asan_init != nullptr || __hwasan_init != nullptr || __lsan_init != nullptr ||
         __msan_init != nullptr || __tsan_init != nullptr;
}

void* AlignedOfSystem(std::size_t size, std::size_t alignment) {
  void* memory = nullptr;
  const int error = posix_memalign(&memory, std::max(alignment, sizeof(void*)), size);
  return error == 0 ? memory : nullptr;
}

std::size_t UsableOfSystem(const void* memory) {
  return malloc_usable_size(const_cast<void*>(memory));
}

constexpr MemorySource kSystemMemory = {std::malloc,
                                        std::calloc,
                                        AlignedOfSystem,
                                        std::realloc,
                                        std::free,
                                        UsableOfSystem,
                                        /*collect=*/nullptr,
                                        /*reserve=*/nullptr,
                                        /*arena_area=*/nullptr,
                                        /*set_option=*/nullptr,
                                        /*scalable=*/false};

// mimalloc 2.0.9 maps a block of more than 16 MiB when it is allocated and unmaps it when it
// is freed, unless it has a reserve: then it keeps what it has touched of that. On
// 2026-11-22, on a virtual machine with 2 Intel Xeon processors, a block of 24 MiB that is
// allocated, touched and freed again and again takes 10 ms without one and 0.35 ms with
// one, as with malloc. The reserve is address space, which takes 12 us and no memory.
constexpr std::size_t kReserve = std::size_t{128} << 20;

// mi_option_large_os_pages, in all versions with the same soname.
constexpr int kLargePages = 6;

template <typename Function>
bool Find(void* library, const char* name, Function** found) {
  *found = reinterpret_cast<Function*>(dlsym(library, name));
  return *found != nullptr;
}

// oneTBB's own functions, if those here come before them: the proxy calls these then, so malloc
// would be a way back. If they come later, malloc leads to oneTBB. No library is loaded, for that
// takes memory.
MemorySource MemoryBehindProxy() {
  MemorySource source{};
  const bool complete = Find(RTLD_NEXT, "scalable_malloc", &source.allocate) &&
                        Find(RTLD_NEXT, "scalable_calloc", &source.allocate_zeros) &&
                        Find(RTLD_NEXT, "scalable_aligned_malloc", &source.allocate_aligned) &&
                        Find(RTLD_NEXT, "scalable_realloc", &source.resize) &&
                        Find(RTLD_NEXT, "scalable_free", &source.free) &&
                        Find(RTLD_NEXT, "scalable_msize", &source.usable_size);
  if (!complete) return kSystemMemory;
  source.scalable = true;
  return source;
}

}  // namespace

void* MemorySource::AllocateAligned(std::size_t size, std::size_t alignment) const {
  // oneTBB has no aligned block for no bytes.
  void* const memory = allocate_aligned(std::max(size, std::size_t{1}), alignment);
  if (reinterpret_cast<std::uintptr_t>(memory) % alignment == 0) return memory;
  // mimalloc 2.0.9 takes it that a block whose size is a power of two, up to 1024, has a place
  // that is a multiple of it. Of the next size it aligns.
  free(memory);
  return allocate_aligned(size + 1, alignment);
}

bool MemorySource::MayHave(std::size_t size) const {
  if (!scalable) return true;
  // As malloc, and unlike mimalloc, without MAP_NORESERVE: the system then looks at the size.
  const int error_before = errno;
  void* const mapped =
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped != MAP_FAILED) munmap(mapped, size);
  errno = error_before;
  return mapped != MAP_FAILED;
}

bool MemorySource::GiveBack(bool everything) const {
  if (collect == nullptr) return malloc_trim(0) != 0;
  collect(everything);
  return true;
}

bool MemorySource::UseHugePages(bool wanted) const {
  if (set_option == nullptr) return false;
  set_option(kLargePages, wanted);
  if (!wanted) return true;
  // What mimalloc has for its blocks already: the reserve, and what the program has reserved.
  const int error_before = errno;
  std::size_t size = 0;
  for (int id = 1; void* const begin = arena_area(id, &size); ++id) {
    madvise(begin, size, MADV_HUGEPAGE);
  }
  errno = error_before;
  return true;
}

void MemorySource::Reserve() const {
  if (reserve == nullptr) return;
  // mimalloc 2.0.9 draws the reserve's place from the thread's own generator, and until its
  // first allocation a thread shares one in memory that cannot be written to.
  void* const first = allocate(1);
  if (first == nullptr) return;
  free(first);
  static_cast<void>(reserve(kReserve, /*commit=*/true, /*allow_large=*/false));
}

const MemorySource& SystemMemory() { return kSystemMemory; }

MemorySource MemoryOfLibrary(const char* soname) {
  if (ProgramHasSanitizer()) return kSystemMemory;
  if (__TBB_malloc_proxy != nullptr) return MemoryBehindProxy();
  // Its malloc stays its own (RTLD_LOCAL), and so do its inner calls if the program has
  // another mimalloc (RTLD_DEEPBIND). Threads that end call it whoever unloads this code.
  void* const library = dlopen(soname, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND | RTLD_NODELETE);
  if (library == nullptr) return kSystemMemory;
  int (*version)() = nullptr;
  MemorySource source{};
  const bool complete = Find(library, "mi_version", &version) && version() >= 209 &&
                        Find(library, "mi_malloc", &source.allocate) &&
                        Find(library, "mi_calloc", &source.allocate_zeros) &&
                        Find(library, "mi_malloc_aligned", &source.allocate_aligned) &&
                        Find(library, "mi_realloc", &source.resize) &&
                        Find(library, "mi_free", &source.free) &&
                        Find(library, "mi_usable_size", &source.usable_size) &&
                        Find(library, "mi_reserve_os_memory", &source.reserve) &&
                        Find(library, "mi_arena_area", &source.arena_area) &&
                        Find(library, "mi_option_set_enabled", &source.set_option) &&
                        Find(library, "mi_collect", &source.collect);
  if (!complete) return kSystemMemory;
  source.scalable = true;
  return source;
}

}  // namespace filch::tbb_compat_internal
