// __TBB_ASSERT: the checks of a build with TBB_USE_ASSERT.
//
// They guard what a program that is right never does (a handle of another
// group, an empty handle).  Checks that are needed in every build use
// __TBB_ASSERT_RELEASE.
#ifndef FILCH_TBB_COMPAT_DETAIL_ASSERT_H_
#define FILCH_TBB_COMPAT_DETAIL_ASSERT_H_

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
// Calls the program's assertion handler; if there is none, prints one sentence
// that holds all four, and aborts. Throws what the handler throws. Any thread.
void assertion_failure(const char* location, int line, const char* expression, const char* comment);

// Is told the function, the line, the condition that is false and what that
// means; when it returns, the program goes on.
using assertion_handler_type = void (*)(const char* location, int line, const char* expression,
                                        const char* comment);

// Null is the handler that aborts. Returns the one before. Any thread.
assertion_handler_type set_assertion_handler(assertion_handler_type handler) noexcept;
assertion_handler_type get_assertion_handler() noexcept;
}  // namespace r1
}  // namespace filch_1
}  // namespace detail

namespace ext {
inline namespace v1 {
using detail::r1::assertion_handler_type;
using detail::r1::get_assertion_handler;
using detail::r1::set_assertion_handler;
}  // namespace v1
}  // namespace ext
}  // namespace tbb

#define __TBB_ASSERT_RELEASE(predicate, comment) \
  ((predicate) ? static_cast<void>(0)            \
               : ::tbb::detail::r1::assertion_failure(__func__, __LINE__, #predicate, comment))

#if TBB_USE_ASSERT
#define __TBB_ASSERT(predicate, comment) __TBB_ASSERT_RELEASE(predicate, comment)
#define __TBB_ASSERT_EX(predicate, comment) __TBB_ASSERT_RELEASE(predicate, comment)
#else
#define __TBB_ASSERT(predicate, comment) static_cast<void>(0)
// Keeps the operands of the predicate in use.
#define __TBB_ASSERT_EX(predicate, comment) static_cast<void>(1 && (predicate))
#endif

#endif  // FILCH_TBB_COMPAT_DETAIL_ASSERT_H_
