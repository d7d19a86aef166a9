#include "filch/pool/run_scan.h"

#include <cstdint>

#include "filch/pool/current_arena.h"
#include "filch/pool/index_loop.h"
#include "filch/pool/scan_loop.h"
#include "filch/pool/two_pass_scan.h"

namespace filch {
namespace pool_internal {
namespace {

// So many threads take blocks from one chain.  With 2 and 4 that took as long as oneTBB's scans
// or less; with 16, of which most slept at the chain's lock, it took four to five times as long,
// for a thousand units of 1 us as for 100000 of nothing (16 virtual Intel Xeon processors,
// 2026-11-27).
constexpr std::uint32_t kThreadsOfAChain = 4;

}  // namespace

void RunUntypedScan(Scan& scan, Scan::Sum& sum, std::uint32_t units, Context& context) {
  const auto threads = static_cast<std::uint32_t>(CurrentArena().concurrency());
  if (threads > kThreadsOfAChain) {
    TwoPassScan loop(scan, sum, threads, context);
    RunLoneLoop(loop, units, context);
  } else {
    ScanLoop loop(scan, sum, units, threads);
    RunScanLoop(loop, units, context);
  }
}

}  // namespace pool_internal
}  // namespace filch
