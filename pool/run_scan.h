// RunScan: the engine of every parallel scan, a loop in which every part needs the sum of
// all parts left of it.
//
// What is scanned before everything left of it is known is summed first, and scanned again.
// Few threads take blocks from one chain (ScanLoop), so that as little as can be is gone
// through twice.  Many would wait for each other there, and go through the rest in two passes
// (TwoPassScan).
//
// A sum goes on over what follows it, for as long as its making and chaining would take much of
// the time of a shorter one (SumCost).
//
// ParallelScan is the usual way to it.  A Scan has these members; MakeSum is called
// by any number of threads at once, Add, Finish and Combine too, with other arguments:
//
//   using Sum = ...;                             // can be moved, and assigned by moving
//   Sum MakeSum();                               // of nothing
//   void Add(UnitInterval block, Sum& sum);      // what follows the units in it
//   void Finish(UnitInterval block, Sum& sum);   // what is left of it becomes
//                                                // what includes it
//   Sum Combine(Sum& left, Sum right);           // may change nothing that Finish
//                                                // needs in `left`
//
// Memory ordering: Combine and Finish of a block come after its Add, and after Finish of
// what lies left of it if that came first.
#ifndef FILCH_POOL_RUN_SCAN_H_
#define FILCH_POOL_RUN_SCAN_H_

#include <cstdint>
#include <utility>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/context.h"
#include "filch/pool/scan.h"

namespace filch {

namespace pool_internal {

// Scans all units.  `sum` is that of nothing, and becomes that of all of them.
void RunUntypedScan(Scan& scan, Scan::Sum& sum, std::uint32_t units, Context& context);

}  // namespace pool_internal

// Scans all units and returns the sum of them, which means nothing if `context` is
// cancelled.  `sum` is that of nothing.  Exceptions as in RunIndexLoop.  Any thread.
template <typename Scan>
typename Scan::Sum RunScan(Scan& scan, typename Scan::Sum sum, std::uint32_t units,
                           Context& context) {
  using Untyped = pool_internal::ScanOf<Scan>;
  Untyped untyped(scan);
  typename Untyped::SumOfValue all(std::move(sum));
  pool_internal::RunUntypedScan(untyped, all, units, context);
  return std::move(all.value);
}

}  // namespace filch

#endif  // FILCH_POOL_RUN_SCAN_H_
