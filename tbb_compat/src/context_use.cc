#include <thread>

#include "../include/oneapi/tbb/detail/_context_use.h"
#include "../include/oneapi/tbb/detail/_task_group_context.h"
#include "filch/pool/context.h"
#include "filch/pool/first_use.h"
#include "filch/pool/process_mutex.h"
#include "filch/tbb_compat/src/shared_contexts.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// All contexts that have several users.
class ContextUse::Others::All {
  struct Seams {
    using Users = ContextUse::Users;
    using Context = filch::Context;
    using Guest = filch::ContextGuest;
    using Mutex = filch::pool_internal::ProcessMutex;
    static void Pause() { std::this_thread::yield(); }
  };

 public:
  // Guests have a lock and a list, for which nobody may ask first while holding this lock.
  All() { filch::ContextGuest().Leave(); }

  static BasicSharedContexts<Seams>& Contexts() {
    static filch::pool_internal::FirstUse<All> all;
    return all.Get().contexts_;
  }

 private:
  Seams::Mutex mutex_{Seams::Mutex::Order::kFirst};
  BasicSharedContexts<Seams> contexts_{mutex_};
};

bool ContextUse::Others::Begin(filch::Context& user, filch::Context* host) {
  return All::Contexts().Begin(user, host);
}

void ContextUse::Others::End(filch::Context& user) { All::Contexts().End(user); }

void ContextUse::End(task_group_context& user) { Users::End(user); }

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb
