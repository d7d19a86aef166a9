// MemorySource: where the allocators' memory comes from, as a table of functions.
//
// It is mimalloc's if that is installed, and the C library's otherwise; in a program with oneTBB's
// malloc proxy it is oneTBB's, as malloc's is. mimalloc is loaded and not linked with: Debian's
// library exports malloc and operator new, so linking with it would change the allocator of the
// whole program.
//
// Any thread. What one source has given goes back to the same one, from any thread.
#ifndef FILCH_TBB_COMPAT_SRC_MEMORY_SOURCE_H_
#define FILCH_TBB_COMPAT_SRC_MEMORY_SOURCE_H_

#include <cstddef>

namespace filch::tbb_compat_internal {

// Sizes are in bytes; who allocates gets null if there is no memory, and errno says
// nothing reliable then.
struct MemorySource {
  void* (*allocate)(std::size_t size);
  void* (*allocate_zeros)(std::size_t count, std::size_t size);
  // `alignment` is a power of two, which the place may miss: AllocateAligned does not.
  void* (*allocate_aligned)(std::size_t size, std::size_t alignment);
  // `memory` may be null; it stays as it is if there is no memory. The size is not 0.
  void* (*resize)(void* memory, std::size_t size);
  // Whatever the other functions gave, or null.
  void (*free)(void* memory);
  std::size_t (*usable_size)(const void* memory);
  // The library's own functions for what follows; null in the system's table.
  void (*collect)(bool force);
  int (*reserve)(std::size_t size, bool commit, bool allow_large);
  void* (*arena_area)(int arena_id, std::size_t* size);
  void (*set_option)(int option, bool enable);
  // Whether threads have memory of their own, and aligned memory takes no longer than
  // other memory.
  bool scalable;

  // Who wants so many bytes or more asks whether there may be such a block: malloc refuses one that
  // the system can never fill, mimalloc 2.0.9 does not. Leaves errno as it is.
  static constexpr std::size_t kHuge = std::size_t{1} << 30;
  bool MayHave(std::size_t size) const;

  // `alignment` is a power of two.
  void* AllocateAligned(std::size_t size, std::size_t alignment) const;
  // Gives the system back what is free: of this thread and of those that have ended, or
  // only what is at hand; a library keeps up to 128 MiB. False if that was surely nothing.
  bool GiveBack(bool everything) const;
  // Says whether large pages are wanted: for memory that the system gives from now on, and, if they
  // are, for the reserve. False if nobody can choose here. Leaves errno as it is.
  bool UseHugePages(bool wanted) const;
  // Makes large blocks fast. To be called once a process, also while others allocate; each
  // call takes 128 MiB of addresses. Changes errno.
  void Reserve() const;
};

// malloc and its like. The table is there before any code runs.
const MemorySource& SystemMemory();

// mimalloc's, from a shared library that stays loaded from now on; oneTBB's in a program with its
// malloc proxy; the system's if there is no such library, if it is older than 2.0.9 (whose
// alignments have no limit), or if the program has a sanitizer. With the proxy, malloc may be who
// calls, so nothing is allocated here then. Takes the lock of the loader, which may be held by a
// thread that allocates (in a constructor of what it loads): who calls this holds nothing that
// others wait for. Changes errno.
MemorySource MemoryOfLibrary(const char* soname);

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_MEMORY_SOURCE_H_
