// info: what the machine has for arenas, and constraints on where an arena works.
//
//   for (tbb::numa_node_id node : tbb::info::numa_nodes()) {
//     arenas.emplace_back(tbb::task_arena::constraints{}.set_numa_id(node));
//   }
#ifndef FILCH_TBB_COMPAT_INFO_H_
#define FILCH_TBB_COMPAT_INFO_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "detail/_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

using numa_node_id = int;  // the system's number
using core_type_id = int;  // from 0, the slowest first

// Where an arena works, and on how many threads. -1: it is all the same.
struct constraints {
#if !__TBB_CPP20_PRESENT
  constraints(numa_node_id id = -1, int maximal_concurrency = -1)
      : numa_id(id), max_concurrency(maximal_concurrency) {}
#endif

  constraints& set_numa_id(numa_node_id id) {
    numa_id = id;
    return *this;
  }
  constraints& set_max_concurrency(int maximal_concurrency) {
    max_concurrency = maximal_concurrency;
    return *this;
  }
  constraints& set_core_type(core_type_id id) {
    core_type = id;
    return *this;
  }
  constraints& set_max_threads_per_core(int threads_number) {
    max_threads_per_core = threads_number;
    return *this;
  }

  numa_node_id numa_id = -1;
  int max_concurrency = -1;
  core_type_id core_type = -1;  // -2: those that a selector chooses, which comes along
  int max_threads_per_core = -1;
};

}  // namespace d1

namespace r1 {
// How many there are, and their numbers, in an array of that size.
std::size_t numa_node_count();
void fill_numa_indices(d1::numa_node_id* ids);
std::size_t core_type_count(std::intptr_t reserved = 0);
void fill_core_type_indices(d1::core_type_id* ids, std::intptr_t reserved = 0);
int constraints_default_concurrency(const d1::constraints& wanted);
// The same without any, quickly.
int unconstrained_default_concurrency();
// One number for constraints that stands for any of these kinds; -1 if there are none.
// Any thread.
d1::core_type_id any_core_type_of(const d1::core_type_id* kinds, std::size_t count);
// How many threads of an arena with these constraints share a core at most; -1: it is all
// the same. Any thread.
inline int constraints_threads_per_core(const d1::constraints& wanted,
                                        std::intptr_t /*reserved*/ = 0) {
  return wanted.max_threads_per_core;
}
}  // namespace r1

namespace d1 {

// The NUMA nodes with cpus that this process may use; {-1} if the system does not
// tell. Any thread, all of these.
inline std::vector<numa_node_id> numa_nodes() {
  std::vector<numa_node_id> ids(r1::numa_node_count());
  r1::fill_numa_indices(ids.data());
  return ids;
}

// The kinds of such cpus, slowest first; {-1} if the system does not tell.
inline std::vector<core_type_id> core_types() {
  std::vector<core_type_id> ids(r1::core_type_count());
  r1::fill_core_type_indices(ids.data());
  return ids;
}

// How many threads an arena with these constraints has by default. A node or a kind
// that does not exist ends the process.
inline int default_concurrency(numa_node_id id = -1) {
  if (id == -1) return r1::unconstrained_default_concurrency();
  constraints wanted;
  wanted.numa_id = id;
  return r1::constraints_default_concurrency(wanted);
}
inline int default_concurrency(constraints wanted) {
  if (wanted.max_concurrency > 0) return wanted.max_concurrency;
  return r1::constraints_default_concurrency(wanted);
}

// The constraints with the kinds of cores that the selector chooses, if they leave it to
// it: those for which selector(std::tuple(kind, its place in core_types(), their number))
// is positive. Any kind if none is, and if there is only one, which it is not asked about.
template <typename Selector>
constraints WithSelectedCoreTypes(constraints wanted, Selector& selector) {
  constexpr core_type_id kSelectable = -2;
  if (wanted.core_type != kSelectable) return wanted;
  const std::vector<core_type_id> kinds = core_types();
  if (kinds.size() < 2) return wanted.set_core_type(-1);
  std::vector<core_type_id> selected;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const auto score = selector(std::make_tuple(kinds[i], i, kinds.size()));
    if (static_cast<int>(score) > 0) selected.push_back(kinds[i]);
  }
  return wanted.set_core_type(r1::any_core_type_of(selected.data(), selected.size()));
}

// The same as without a selector, for constraints that leave the kinds of cores to it.
template <typename Selector>
int default_concurrency(constraints wanted, Selector selector) {
  return d1::default_concurrency(d1::WithSelectedCoreTypes(wanted, selector));
}

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::core_type_id;
using detail::d1::numa_node_id;
namespace info {
using detail::d1::core_types;
using detail::d1::default_concurrency;
using detail::d1::numa_nodes;
}  // namespace info
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_INFO_H_
