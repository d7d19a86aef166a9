// Every loop workload, for a runtime that has a parallel loop.
//
// The runtime gives a class with
//   explicit Loop(int threads)
//   For(n, body)        calls body(begin, end) for parts of [0, n), whatever its
//                       users would write first
//   SameParts(n, body)  the same, and each thread gets the same part every time
//
// Example:
//   const EvenLoops<Loop> even;
//   const UnevenLoops<Loop> uneven;
#ifndef FILCH_TOOLS_BENCH_LOOPS_LOOPS_H_
#define FILCH_TOOLS_BENCH_LOOPS_LOOPS_H_

#include "tools/bench/harness/run.h"
#include "tools/bench/loops/grain.h"
#include "tools/bench/loops/idle.h"
#include "tools/bench/loops/launch.h"
#include "tools/bench/loops/triad.h"
#include "tools/bench/loops/uneven.h"

namespace bench {

// Makes the runtime's loop and gives it to a workload.
template <typename Loop, void (*workload)(Run&, Loop&)>
void WithLoop(Run& run) {
  Loop loop(run.threads());
  workload(run, loop);
}

template <typename Loop>
class UnevenLoops {
 private:
  Registration skewed_{"loop_skewed", WithLoop<Loop, TimeUneven<Shape::kSkewed, Loop>>};
  Registration heavy_{"loop_heavy_first", WithLoop<Loop, TimeUneven<Shape::kHeavyFirst, Loop>>};
  Registration pareto_{"loop_pareto", WithLoop<Loop, TimeUneven<Shape::kPareto, Loop>>};
};

template <typename Loop>
class EvenLoops {
 private:
  Registration uniform_{"loop_uniform", WithLoop<Loop, TimeUneven<Shape::kUniform, Loop>>};
  Registration triad_{"triad", WithLoop<Loop, TimeTriad<Loop>>};
  Registration affinity_{"affinity", WithLoop<Loop, TimeAffinity<Loop>>};
  Registration hot_launch_{"launch_hot", WithLoop<Loop, TimeHotLaunch<Loop>>};
  Registration launch_1ms_{"launch_after_1ms", WithLoop<Loop, TimeColdLaunch<1000, Loop>>};
  Registration launch_10ms_{"launch_after_10ms", WithLoop<Loop, TimeColdLaunch<10000, Loop>>};
  Registration hot_grain_{"grain_hot", WithLoop<Loop, TimeHotGrain<Loop>>};
  Registration idle_{"idle", WithLoop<Loop, TimeIdle<Loop>>};
  Registration cold_grain_{"grain_cold", WithLoop<Loop, TimeColdGrain<Loop>>};
};

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_LOOPS_LOOPS_H_
