#include "filch/tbb_compat/src/chosen_memory.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "filch/tbb_compat/src/memory_source.h"
#include "filch/tbb_compat/src/one_chosen.h"

namespace filch::tbb_compat_internal {
namespace {

// A copy that stays, or the system's table if there is no memory for one. In the source's own
// memory, for malloc may be who asks for the source.
const MemorySource* Keep(const MemorySource& source) {
  if (!source.scalable) return &SystemMemory();
  void* const place = source.allocate(sizeof(MemorySource));
  return place == nullptr ? &SystemMemory() : ::new (place) MemorySource(source);
}

bool EnvironmentWantsHugePages() {
  const char* const value = std::getenv("TBB_MALLOC_USE_HUGE_PAGES");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

void Drop(const MemorySource* kept) {
  if (kept != &SystemMemory()) kept->free(const_cast<MemorySource*>(kept));
}

}  // namespace

OneChosen<const MemorySource> chosen_memory;

// Nobody waits here for another thread but in the loader, so that nothing is in the way of a
// thread that holds the loader's lock, nor of a child that is forked meanwhile: threads that
// come at once get the same library, each makes a table, and one of these stays. What the
// loader was at when a child was forked is between that child and the C library.
__attribute__((noinline, cold)) const MemorySource& ChooseMemory() {
  const int error_before = errno;
  const MemorySource found = MemoryOfLibrary("libmimalloc.so.2");
  const bool huge = EnvironmentWantsHugePages();
  if (huge) found.UseHugePages(true);  // for what comes before the reserve
  const MemorySource* const mine = Keep(found);
  const MemorySource* const chosen = chosen_memory.Publish(mine);
  if (chosen == mine) {
    chosen->Reserve();
    if (huge) chosen->UseHugePages(true);  // for the reserve
  } else {
    Drop(mine);
  }
  // mimalloc looks at the machine when it is first used, and leaves an errno behind.
  if (chosen->scalable) chosen->free(chosen->allocate(1));
  errno = error_before;
  return *chosen;
}

}  // namespace filch::tbb_compat_internal
