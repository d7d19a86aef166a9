// What oneTBB's loops bring along, for programs that include one of them and use
// the rest.
#ifndef FILCH_TBB_COMPAT_DETAIL_COMES_ALONG_H_
#define FILCH_TBB_COMPAT_DETAIL_COMES_ALONG_H_

#include "../blocked_range.h"
#include "../cache_aligned_allocator.h"
#include "../info.h"
#include "../profiling.h"
#include "../task_arena.h"
#include "../task_group.h"
#include "_template_helpers.h"

#endif  // FILCH_TBB_COMPAT_DETAIL_COMES_ALONG_H_
