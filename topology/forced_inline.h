// FILCH_FORCED_INLINE: a function that compilers inline into every caller.
//
// gcc refuses that in a function whose target attribute leaves out what the rest of the
// file is compiled for (-mavx and target("no-avx")).  A program that has such callers
// defines FILCH_NO_FORCED_INLINING before it includes anything of filch: what it calls
// then costs some instructions more.
//
// For functions that such a program may call itself; what these call in turn takes the attribute
// as it is, for it has the attributes of the rest of the file.
#ifndef FILCH_TOPOLOGY_FORCED_INLINE_H_
#define FILCH_TOPOLOGY_FORCED_INLINE_H_

#ifdef FILCH_NO_FORCED_INLINING
#define FILCH_FORCED_INLINE inline
#else
#define FILCH_FORCED_INLINE inline __attribute__((always_inline))
#endif

#endif  // FILCH_TOPOLOGY_FORCED_INLINE_H_
