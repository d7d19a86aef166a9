// RunScan: the engine of every parallel scan, a loop in which every part needs the sum of
// all parts left of it.
//
// What is scanned before everything left of it is known is summed first, and scanned again.
// Few threads take blocks from one chain (ScanLoop), so that as little as can be is gone
// through twice.  Many would wait for each other there, and go through the rest in two passes
// (TwoPassScan).
//
// ParallelScan is the usual way to it.  A Scan has these members; SumOf is called
// by any number of threads at once, Finish and Combine too, with other arguments:
//
//   using Sum = ...;                             // can be moved
//   Sum SumOf(UnitInterval block);
//   void Finish(UnitInterval block, Sum& sum);   // what is left of it becomes
//                                                // what includes it
//   Sum Combine(Sum& left, Sum right);           // may change nothing that Finish
//                                                // needs in `left`
//
// Memory ordering: Combine and Finish of a block come after its SumOf, and after Finish of
// what lies left of it if that came first.
#ifndef FILCH_POOL_RUN_SCAN_H_
#define FILCH_POOL_RUN_SCAN_H_

#include <cstdint>
#include <utility>

#include "filch/pool/context.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/scan_loop.h"
#include "filch/pool/two_pass_scan.h"

namespace filch {

namespace pool_internal {

// So many threads take blocks from one chain.  With 2 and 4 that took as long as oneTBB's scans
// or less; with 16, of which most slept at the chain's lock, it took four to five times as long,
// for a thousand units of 1 us as for 100000 of nothing (16 virtual Intel Xeon processors,
// 2026-11-27).
constexpr std::uint32_t kThreadsOfAChain = 4;

// Not inlined: scans of few threads pay nothing for it.
template <typename Scan>
__attribute__((noinline)) typename Scan::Sum RunTwoPassScan(Scan& scan, typename Scan::Sum sum,
                                                            std::uint32_t units,
                                                            std::uint32_t threads,
                                                            Context& context) {
  TwoPassScan<Scan> loop(scan, std::move(sum), threads, context);
  filch::RunLoneLoop(loop, units, context);
  return loop.TakeSum();
}

}  // namespace pool_internal

// Scans all units and returns the sum of them, which means nothing if `context` is
// cancelled.  `sum` is that of nothing.  Exceptions as in RunIndexLoop.  Any thread.
template <typename Scan>
typename Scan::Sum RunScan(Scan& scan, typename Scan::Sum sum, std::uint32_t units,
                           Context& context) {
  const auto threads = static_cast<std::uint32_t>(CurrentArena().concurrency());
  if (threads > pool_internal::kThreadsOfAChain) {
    return pool_internal::RunTwoPassScan(scan, std::move(sum), units, threads, context);
  }
  pool_internal::ScanLoop<Scan> loop(scan, std::move(sum), units, threads);
  filch::RunScanLoop(loop, units, context);
  return loop.TakeSum();
}

}  // namespace filch

#endif  // FILCH_POOL_RUN_SCAN_H_
