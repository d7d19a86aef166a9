// The macros that programs written for oneTBB set, and those that they test.
//
// Every public header includes this one first.  What a program may set is
// listed first, what filch derives from the compiler next, and what filch says
// about itself last; a feature that filch does not have yet is reported as
// absent, so that code which asks takes its other branch.
#ifndef FILCH_TBB_COMPAT_DETAIL_CONFIG_H_
#define FILCH_TBB_COMPAT_DETAIL_CONFIG_H_

#if __cplusplus < 201703L
#error "filch's TBB headers need C++17: add -std=c++17, or with CMake -DCMAKE_CXX_STANDARD=17."
// Stops the compiler here, so that nobody looks for the sentence among hundreds of errors.
#include <filch_needs_cxx17>
#endif

#include <cstddef>

#include "_standard_headers.h"  // comes along

// Headers of the classic root have said which version they are.
#ifndef FILCH_TBB_CLASSIC
#include "../version.h"
#endif

// --- What a program may set before its first TBB header ----------------------

// _DEBUG counts unless it is zero; empty, it does.
#ifndef TBB_USE_DEBUG
#if defined(_DEBUG) && (_DEBUG + 0 != 0 || 1 - _DEBUG - 1 == 2)
#define TBB_USE_DEBUG 1
#else
#define TBB_USE_DEBUG 0
#endif
#endif

#ifndef TBB_USE_ASSERT
#define TBB_USE_ASSERT TBB_USE_DEBUG
#endif

#ifndef TBB_USE_PROFILING_TOOLS
#if TBB_USE_DEBUG
#define TBB_USE_PROFILING_TOOLS 2
#else
#define TBB_USE_PROFILING_TOOLS 0
#endif
#endif

#ifndef TBB_USE_EXCEPTIONS
#if defined(__cpp_exceptions)
#define TBB_USE_EXCEPTIONS 1
#else
#define TBB_USE_EXCEPTIONS 0
#endif
#endif

// A program that wants none has some all the same where its compiler knows them.
#if TBB_USE_EXCEPTIONS && !defined(__cpp_exceptions)
#error "TBB_USE_EXCEPTIONS is 1 and the compiler's exceptions are off: leave it undefined."
#endif

// --- What the compiler offers ------------------------------------------------

#define __TBB_CPP14_PRESENT 1
#define __TBB_CPP17_PRESENT 1
#define __TBB_CPP17_DEDUCTION_GUIDES_PRESENT 1
#define __TBB_CPP17_INVOKE_PRESENT 1
#if __has_include(<memory_resource>)
#define __TBB_CPP17_MEMORY_RESOURCE_PRESENT 1
#else
#define __TBB_CPP17_MEMORY_RESOURCE_PRESENT 0
#endif
#if __cplusplus >= 202002L
#define __TBB_CPP20_PRESENT 1
#else
#define __TBB_CPP20_PRESENT 0
#endif
#if defined(__cpp_concepts) && __cpp_concepts >= 201907L
#define __TBB_CPP20_CONCEPTS_PRESENT 1
#else
#define __TBB_CPP20_CONCEPTS_PRESENT 0
#endif
#if defined(__cpp_impl_three_way_comparison) && __cpp_impl_three_way_comparison >= 201907L
#define __TBB_CPP20_COMPARISONS_PRESENT 1
#else
#define __TBB_CPP20_COMPARISONS_PRESENT 0
#endif

#if defined(__GNUC__)
#define __TBB_GCC_VERSION (__GNUC__ * 10000 + __GNUC_MINOR__ * 100 + __GNUC_PATCHLEVEL__)
#endif
#if defined(TBB_USE_GLIBCXX_VERSION)
#define __TBB_GLIBCXX_VERSION TBB_USE_GLIBCXX_VERSION
#elif defined(__GNUC__) && !defined(__clang__)
#define __TBB_GLIBCXX_VERSION __TBB_GCC_VERSION
#elif defined(_GLIBCXX_RELEASE)
#define __TBB_GLIBCXX_VERSION (_GLIBCXX_RELEASE * 10000)
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define __TBB_x86_64 1
#elif defined(__i386__) || defined(_M_IX86)
#define __TBB_x86_32 1
#endif

#if defined(__SANITIZE_THREAD__)
#define __TBB_USE_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __TBB_USE_THREAD_SANITIZER 1
#endif
#endif
#ifndef __TBB_USE_THREAD_SANITIZER
#define __TBB_USE_THREAD_SANITIZER 0
#endif

#if defined(__SANITIZE_ADDRESS__)
#define __TBB_USE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __TBB_USE_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef __TBB_USE_ADDRESS_SANITIZER
#define __TBB_USE_ADDRESS_SANITIZER 0
#endif

#define __TBB_STRING_AUX(x) #x
#define __TBB_STRING(x) __TBB_STRING_AUX(x)

#define __TBB_fallthrough [[fallthrough]]

// A program may do without constraints.
#ifndef __TBB_USE_CONSTRAINTS
#define __TBB_USE_CONSTRAINTS 1
#endif
#if __TBB_CPP20_CONCEPTS_PRESENT && __TBB_USE_CONSTRAINTS
#define __TBB_requires(...) requires __VA_ARGS__
#else
#define __TBB_requires(...)
#endif

#if defined(TBB_SUPPRESS_DEPRECATED_MESSAGES) && TBB_SUPPRESS_DEPRECATED_MESSAGES
#define __TBB_DEPRECATED
#define __TBB_DEPRECATED_MSG(message)
#else
#define __TBB_DEPRECATED [[deprecated]]
#define __TBB_DEPRECATED_MSG(message) [[deprecated(message)]]
#endif

// What TBB 2020 called deprecated only to those who asked for it, with
// -DTBB_SUPPRESS_DEPRECATED_MESSAGES=0.
#if defined(TBB_SUPPRESS_DEPRECATED_MESSAGES) && !TBB_SUPPRESS_DEPRECATED_MESSAGES
#define __TBB_DEPRECATED_IN_VERBOSE_MODE_MSG(message) [[deprecated(message)]]
#else
#define __TBB_DEPRECATED_IN_VERBOSE_MODE_MSG(message)
#endif

// parallel_invoke and parallel_pipeline take any number of arguments.
#define __TBB_VARIADIC_MAX 10

// --- What filch offers --------------------------------------------------------

#define TBB_EXT_CUSTOM_ASSERTION_HANDLER 202510
#define TBB_HAS_PARALLEL_PHASE 202608
#define TBB_HAS_TASK_ARENA_CORE_TYPE_SELECTOR 202603
#if defined(TBB_PREVIEW_TASK_GROUP_EXTENSIONS) && TBB_PREVIEW_TASK_GROUP_EXTENSIONS
#define __TBB_PREVIEW_TASK_GROUP_EXTENSIONS 1
#define TBB_HAS_TASK_GROUP_DEPENDENCIES 202603
#define TBB_HAS_TASK_GROUP_WAIT_FOR_SINGLE_TASK 202603
#endif

// --- What filch does not offer yet -------------------------------------------

#define __TBB_RESUMABLE_TASKS 0
#define __TBB_FP_CONTEXT 1

// --- The namespaces ----------------------------------------------------------

// Nearly everything (README.md has the exceptions) is defined in
// tbb::detail::filch_1::{d0,d1,d2,r1} and exported from tbb::v1.  filch_1 is inline, so a program
// may spell tbb::detail::d1::x, and no mangled name equals one of oneTBB: both may live in one
// process.
namespace tbb {
namespace detail {
inline namespace filch_1 {
inline namespace d0 {}
namespace d1 {
using namespace d0;
}
namespace d2 {
using namespace d1;
}
namespace r1 {}
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {}
}  // namespace tbb

namespace oneapi {
namespace tbb = ::tbb;
}

#endif  // FILCH_TBB_COMPAT_DETAIL_CONFIG_H_
