// ContextScope: the calling thread works for a context while the scope lasts.
//
// Contexts, task groups and joins made inside lie below it.
#ifndef FILCH_POOL_CONTEXT_SCOPE_H_
#define FILCH_POOL_CONTEXT_SCOPE_H_

#include <cstddef>

#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/slot.h"

namespace filch {

// The context of the task that the calling thread runs, or null.
inline Context* CurrentContext() { return pool_internal::CurrentSlot().context; }

class ContextScope {
 public:
  explicit ContextScope(Context& context) : ContextScope(context, pool_internal::CurrentSlot()) {}
  // Without a context: what is called belongs to no group.
  explicit ContextScope(std::nullptr_t)
      : slot_(pool_internal::CurrentSlot()), outer_(slot_.context) {
    slot_.context = nullptr;
  }
  ContextScope(Context& context, pool_internal::Slot& slot) : slot_(slot), outer_(slot.context) {
    slot.context = &context;
  }
  ~ContextScope() { slot_.context = outer_; }
  ContextScope(const ContextScope&) = delete;
  ContextScope& operator=(const ContextScope&) = delete;

 private:
  pool_internal::Slot& slot_;
  Context* const outer_;
};

}  // namespace filch

#endif  // FILCH_POOL_CONTEXT_SCOPE_H_
