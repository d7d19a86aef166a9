// UsableCpus and UsableConcurrency: the cpus that an arena with constraints may use, and
// how many threads that makes.
#ifndef FILCH_TBB_COMPAT_DETAIL_USABLE_CPUS_H_
#define FILCH_TBB_COMPAT_DETAIL_USABLE_CPUS_H_

#include "../info.h"
#include "filch/topology/cpu_set.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {

// Empty if they are all that the process may use, or if the system does not tell
// them; so an arena without constraints never asks.  A node or kind that does not
// exist ends the process. Any thread.
filch::CpuSet UsableCpus(const d1::constraints& wanted);

// As info::default_concurrency, for who does not tell the program. Any thread.
int UsableConcurrency(const d1::constraints& wanted);

}  // namespace r1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_USABLE_CPUS_H_
