// What of the standard library comes with every header of TBB: programs use it without
// including it themselves.
#ifndef FILCH_TBB_COMPAT_DETAIL_STANDARD_HEADERS_H_
#define FILCH_TBB_COMPAT_DETAIL_STANDARD_HEADERS_H_

#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <thread>

#if defined(__SSE2__)
// _mm_pause, and what every x86-64 has. oneTBB brings all intrinsics, which would be a
// third of what a program's compiler does here.
#include <emmintrin.h>
#endif

// TBB 2020 yields to other threads with a function of the system.
#if defined(FILCH_TBB_CLASSIC) && __has_include(<unistd.h>)
#include <sched.h>
#include <unistd.h>
#endif

#endif  // FILCH_TBB_COMPAT_DETAIL_STANDARD_HEADERS_H_
