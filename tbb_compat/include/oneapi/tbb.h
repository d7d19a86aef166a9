// Everything that filch provides of oneTBB's interface.
//
// It leaves out the headers that filch does not provide yet, so a program that
// needs one of them stops at the name it uses; including that header by its own
// name stops with a sentence instead.  README.md has the list.  Of TBB 2020, it has
// what goes with tbb::task.
#ifndef FILCH_TBB_COMPAT_TBB_H_
#define FILCH_TBB_COMPAT_TBB_H_

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

#include "tbb/aligned_space.h"
#include "tbb/blocked_nd_range.h"
#include "tbb/blocked_range.h"
#include "tbb/blocked_range2d.h"
#include "tbb/blocked_range3d.h"
#include "tbb/blocked_rangeNd.h"
#include "tbb/cache_aligned_allocator.h"
#include "tbb/collaborative_call_once.h"
#include "tbb/combinable.h"
#include "tbb/enumerable_thread_specific.h"
#include "tbb/global_control.h"
#include "tbb/info.h"
#include "tbb/memory_pool.h"
#include "tbb/mutex.h"
#include "tbb/null_mutex.h"
#include "tbb/null_rw_mutex.h"
#include "tbb/parallel_do.h"
#include "tbb/parallel_for.h"
#include "tbb/parallel_for_each.h"
#include "tbb/parallel_invoke.h"
#include "tbb/parallel_pipeline.h"
#include "tbb/parallel_reduce.h"
#include "tbb/parallel_scan.h"
#include "tbb/parallel_sort.h"
#include "tbb/partitioner.h"
#include "tbb/profiling.h"
#include "tbb/queuing_mutex.h"
#include "tbb/queuing_rw_mutex.h"
#include "tbb/rw_mutex.h"
#include "tbb/scalable_allocator.h"
#include "tbb/spin_mutex.h"
#include "tbb/spin_rw_mutex.h"
#include "tbb/task.h"
#include "tbb/task_arena.h"
#include "tbb/task_group.h"
#include "tbb/task_scheduler_init.h"
#include "tbb/task_scheduler_observer.h"
#include "tbb/tbb_allocator.h"
#include "tbb/tbb_exception.h"
#include "tbb/tbbmalloc_proxy.h"
#include "tbb/tick_count.h"
#include "tbb/version.h"

#endif  // FILCH_TBB_COMPAT_TBB_H_
