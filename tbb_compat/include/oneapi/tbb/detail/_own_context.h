// WithOwnContext: a context for one call of an algorithm.
//
// It costs next to nothing unless something is cancelled or thrown.
#ifndef FILCH_TBB_COMPAT_DETAIL_OWN_CONTEXT_H_
#define FILCH_TBB_COMPAT_DETAIL_OWN_CONTEXT_H_

#include "_config.h"
#include "_context_use.h"
#include "filch/pool/context.h"
#include "filch/pool/context_scope.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/fp_scope.h"
#include "filch/pool/in_memory.h"
#include "filch/pool/slot.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// parallel_invoke has a context of its own in each call, so what is necessary only at its
// end, and seldom, stays in memory.

// A context below the one that the calling thread works for.
class OwnContext {
 public:
  explicit OwnContext(const filch::pool_internal::Slot& slot) : context_(slot), address_(this) {}
  __attribute__((always_inline)) ~OwnContext() {
    if (__builtin_expect(!context_.untouched(), 0)) address_.Get()->context_.~Fresh();
  }
  OwnContext(const OwnContext&) = delete;
  OwnContext& operator=(const OwnContext&) = delete;

  filch::Context& get() { return context_; }

 private:
  using Fresh = ContextUse::Fresh;

  // Destroyed only if it was used: else there is nothing to do.
  union {
    Fresh context_;
  };
  const filch::pool_internal::InMemory<OwnContext*> address_;
};

// The thread in `slot` works again for the context that it worked for, `outer`, when the
// scope ends.  It refers to variables and has none, because those that stay in memory
// would keep the others there.  ContextScope and OutermostFpScope, which are not of this
// form, would cost a call of parallel_invoke four instructions of about a hundred, and no
// fewer if what they keep were InMemory.
class OuterContextAtEnd {
 public:
  using Outer = filch::pool_internal::InMemory<filch::Context*>;

  OuterContextAtEnd(filch::pool_internal::Slot& slot, const Outer& outer,
                    filch::pool_internal::OutermostFp& outermost_fp)
      : slot_(slot), outer_(outer), outermost_fp_(outermost_fp) {}
  __attribute__((always_inline)) ~OuterContextAtEnd() {
    filch::Context* const outer = outer_.Get();
    slot_.context = outer;
    if (__builtin_expect(outer == nullptr, 0)) outermost_fp_.End();
  }
  OuterContextAtEnd(const OuterContextAtEnd&) = delete;
  OuterContextAtEnd& operator=(const OuterContextAtEnd&) = delete;

 private:
  filch::pool_internal::Slot& slot_;
  const Outer& outer_;
  filch::pool_internal::OutermostFp& outermost_fp_;
};

// Calls work(context) with a context that is bound to the current one, and costs next to
// nothing if the thread works for one.
template <typename Work>
inline __attribute__((always_inline)) void WithOwnContext(filch::pool_internal::Slot& slot,
                                                          const Work& work) {
  const OuterContextAtEnd::Outer outer(slot.context);
  filch::pool_internal::OutermostFp outermost_fp;
  if (__builtin_expect(slot.context == nullptr, 0)) outermost_fp.Begin(slot);
  OwnContext own(slot);
  const OuterContextAtEnd end(slot, outer, outermost_fp);
  slot.context = &own.get();
  work(own.get());
}
// The same for loops, which a thread that works for none comes back to after a while.
template <typename Work>
inline void WithOwnContext(const Work& work) {
  filch::pool_internal::Slot& slot = filch::pool_internal::CurrentSlot();
  const filch::pool_internal::OutermostFpScope fp_scope(slot);
  OwnContext own(slot);
  const filch::ContextScope scope(own.get(), slot);
  work(own.get());
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_OWN_CONTEXT_H_
