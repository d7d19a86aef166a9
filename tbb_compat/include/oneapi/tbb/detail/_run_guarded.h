// RunGuarded and its like: calls of functors of the program's, which may throw.
//
// What one throws cancels the context that it is part of, and who waits there hears of it.
#ifndef FILCH_TBB_COMPAT_DETAIL_RUN_GUARDED_H_
#define FILCH_TBB_COMPAT_DETAIL_RUN_GUARDED_H_

#include <type_traits>

#include "_config.h"
#include "filch/pool/context.h"
#include "filch/topology/catch_all.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
// Ends the process if a global_control asks that for exceptions which leave a
// task. Called while the exception is handled.
void EndIfExceptionsTerminate() noexcept;
// The same, and else cancels the context of the task. Whether those who wait are to hear of
// the exception; as with oneTBB they are not if the context, or one above it, was cancelled
// before, unless by another exception that was noted in this context. Who is told no does
// not throw it again.
bool NoteException(filch::Context& context) noexcept;
// The same for the context that the calling thread works for, which must be one of this
// folder's.
bool NoteException() noexcept;
// As the first, and the context keeps the exception if those who wait are to hear of it.
void KeepException(filch::Context& context) noexcept;
// The same for the context that the calling thread works for, as with NoteException.
void KeepException() noexcept;
}  // namespace r1

namespace d1 {

// For gcc: f may have been called where it was dropped.  So who goes on although all was
// cancelled is not warned that what f writes may be uninitialized.
template <typename F>
inline __attribute__((always_inline)) void PretendToCall([[maybe_unused]] const F& f) {
#if defined(__GNUC__) && !defined(__clang__)
  // What f refers to: f itself need not be in memory until then.
  if constexpr (std::is_trivially_copyable_v<F> && std::is_copy_constructible_v<F>) {
    if constexpr (sizeof(F) <= 64) {
      const F copy(f);
      asm volatile("" : : "r"(&reinterpret_cast<const volatile char&>(copy)) : "memory");
    }
  }
#endif
}

// Calls f() as part of `context`, which it cancels if f throws. False: f threw what nobody
// is to hear of.
template <typename F>
inline bool RunGuarded(filch::Context& context, const F& f) {
  FILCH_TRY {
    f();
    return true;
  }
  FILCH_CATCH_ALL {
    if (r1::NoteException(context)) FILCH_RETHROW;
  }
  return false;
}
// The same in the context that the calling thread works for.
template <typename F>
inline bool RunGuarded(const F& f) {
  FILCH_TRY {
    f();
    return true;
  }
  FILCH_CATCH_ALL {
    if (r1::NoteException()) FILCH_RETHROW;
  }
  d1::PretendToCall(f);
  return false;
}
// The same for a loop, which looks whether the context was cancelled before it goes on, and
// throws what that keeps when it is over: the exception is thrown once less on its way.
template <typename F>
inline void RunKeeping(filch::Context& context, const F& f) {
  FILCH_TRY { f(); }
  FILCH_CATCH_ALL { r1::KeepException(context); }
}
// The same in the context that the calling thread works for.
template <typename F>
inline void RunKeeping(const F& f) {
  FILCH_TRY {
    f();
    return;
  }
  FILCH_CATCH_ALL { r1::KeepException(); }
  d1::PretendToCall(f);
}
// As the first for an f that makes what nothing can go on without: everybody hears of what it
// throws.
template <typename F>
inline void MakeGuarded(filch::Context& context, const F& f) {
  FILCH_TRY { f(); }
  FILCH_CATCH_ALL {
    r1::NoteException(context);
    FILCH_RETHROW;
  }
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_RUN_GUARDED_H_
