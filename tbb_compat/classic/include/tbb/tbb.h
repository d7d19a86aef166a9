// Everything that filch provides of TBB 2020.
//
// It leaves out the headers that filch does not provide yet, so a program that
// needs one of them stops at the name it uses; including that header by its own
// name stops with a sentence instead.
#ifndef FILCH_TBB_COMPAT_CLASSIC_INCLUDE_TBB_TBB_H_
#define FILCH_TBB_COMPAT_CLASSIC_INCLUDE_TBB_TBB_H_

// What the containers' headers bring of the standard library, which programs that include
// everything use without including it themselves.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "aligned_space.h"
#include "blocked_range.h"
#include "blocked_range2d.h"
#include "blocked_range3d.h"
#include "blocked_rangeNd.h"
#include "cache_aligned_allocator.h"
#include "combinable.h"
#include "enumerable_thread_specific.h"
#include "global_control.h"
#include "info.h"
#include "null_mutex.h"
#include "null_rw_mutex.h"
#include "parallel_do.h"
#include "parallel_for.h"
#include "parallel_for_each.h"
#include "parallel_invoke.h"
#include "parallel_reduce.h"
#include "parallel_scan.h"
#include "parallel_sort.h"
#include "partitioner.h"
#include "queuing_mutex.h"
#include "queuing_rw_mutex.h"
#include "scalable_allocator.h"
#include "spin_mutex.h"
#include "spin_rw_mutex.h"
#include "task.h"
#include "task_arena.h"
#include "task_group.h"
#include "task_scheduler_init.h"
#include "task_scheduler_observer.h"
#include "tbb_allocator.h"
#include "tbb_exception.h"
#include "tbb_profiling.h"
#include "tbb_stddef.h"
#include "tick_count.h"

#endif  // FILCH_TBB_COMPAT_CLASSIC_INCLUDE_TBB_TBB_H_
