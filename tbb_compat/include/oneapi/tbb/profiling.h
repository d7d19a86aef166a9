// profiling: names and events for a profiler, which filch does not talk to.
//
// Programs that name their mutexes and mark their phases compile and run; the
// names go nowhere. What filch itself did is in the pool's trace (FILCH_TRACE).
//
//   tbb::profiling::set_name(mutex, "the cache's lock");
//   tbb::profiling::event::emit("phase 2");
#ifndef FILCH_TBB_COMPAT_PROFILING_H_
#define FILCH_TBB_COMPAT_PROFILING_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <string>
#include <utility>

#include "detail/_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// A point in time with a name. Any thread.
class event {
 public:
  event(std::string name) : name_(std::move(name)) {}

  void emit() {}
  static void emit(const std::string&) {}

 private:
  std::string name_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
namespace profiling {
using detail::d1::event;
}  // namespace profiling
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PROFILING_H_
