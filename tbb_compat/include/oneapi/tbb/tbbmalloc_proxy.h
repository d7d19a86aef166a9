// tbbmalloc_proxy: asks for another malloc in the whole program, which filch does not
// bring.
//
// Including it changes nothing: the program keeps the C library's malloc, or the
// one that it is linked with. The log of what was replaced is empty. A program that is
// linked with mimalloc (-lmimalloc) has that for malloc, operator new and the allocators.
#ifndef FILCH_TBB_COMPAT_TBBMALLOC_PROXY_H_
#define FILCH_TBB_COMPAT_TBBMALLOC_PROXY_H_

#include "detail/_config.h"

// -1: nothing was replaced; the log, if one is asked for, is null. Any thread.
extern "C" int TBB_malloc_replacement_log(char*** function_replacement_log_ptr);

#endif  // FILCH_TBB_COMPAT_TBBMALLOC_PROXY_H_
