// FILCH_FORCED_INLINE: a function that compilers inline into every caller.
//
// gcc refuses that in a function whose target attribute leaves out what the rest of the
// file is compiled for (-mavx and target("no-avx")).  A program that has such callers
// defines FILCH_NO_FORCED_INLINING before it includes anything of filch: what it calls
// then costs some instructions more.
#ifndef FILCH_POOL_FORCED_INLINE_H_
#define FILCH_POOL_FORCED_INLINE_H_

#ifdef FILCH_NO_FORCED_INLINING
#define FILCH_FORCED_INLINE inline
#else
#define FILCH_FORCED_INLINE inline __attribute__((always_inline))
#endif

#endif  // FILCH_POOL_FORCED_INLINE_H_
