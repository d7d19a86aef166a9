// LoneContext: the context of a function that is part of no group.
//
//   LoneContext context;
//   const filch::ContextScope scope(context);
//   f();
//
// It ends with the function, and roots of TBB 2020 that the function leaves behind go on.  So they
// get a context that lasts, and from the first of them on the function works for that one.  It
// starts as cancelled as the lone one is then, and who cancels that later does not reach it.
//
// The thread that calls the function.
#ifndef FILCH_TBB_COMPAT_DETAIL_LONE_CONTEXT_H_
#define FILCH_TBB_COMPAT_DETAIL_LONE_CONTEXT_H_

#include <atomic>

#include "_config.h"
#include "_task_group_context.h"
#include "filch/pool/context.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
struct Outside;
}  // namespace r1

namespace d1 {

class LoneContext final : public task_group_context {
 public:
  LoneContext() : task_group_context(NotesOnly(), kStays | kLone) {}
  ~LoneContext() {
    if (__builtin_expect(outside_ != nullptr, 0)) GiveOutsideBack();
  }
  LoneContext(const LoneContext&) = delete;
  LoneContext& operator=(const LoneContext&) = delete;

  // Whether a context of the pool is one.  Any thread.
  static bool Is(const filch::Context& context) {
    return (context.notes().load(std::memory_order_relaxed) & kLone) != 0;  // U2: never changes
  }

  // The one that lasts. Throws std::bad_alloc.
  task_group_context& Lasting();

 private:
  void GiveOutsideBack();

  r1::Outside* outside_ = nullptr;  // if something was made to last
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_LONE_CONTEXT_H_
