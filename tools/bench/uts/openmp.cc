#include <vector>

#include "tools/bench/uts/uts.h"

namespace bench {
namespace {

template <typename Tree>
std::int64_t TaskCount(const Tree& tree, const TreeNode& node) {
  const std::uint32_t children = tree.Children(node);
  if (children == 0) return 1;
  std::vector<std::int64_t> counts(children);
  const Tree* const whole = &tree;
  for (std::uint32_t i = 0; i < children; ++i) {
    std::int64_t* const count = &counts[i];
    const TreeNode child = Child(node, i);
#pragma omp task firstprivate(whole, count, child)
    *count = TaskCount(*whole, child);
  }
#pragma omp taskwait
  std::int64_t sum = 1;
  for (const std::int64_t count : counts) sum += count;
  return sum;
}

template <typename Tree>
std::int64_t Count(const Tree& tree, const TreeNode& root) {
  std::int64_t count = 0;
#pragma omp parallel
#pragma omp single
  count = TaskCount(tree, root);
  return count;
}

template <typename Tree>
void RunTree(Run& run) {
  TimeTree<Tree>(run, Count<Tree>);
}

const Registration geometric("uts_geometric", RunTree<GeometricTree>);
const Registration binomial("uts_binomial", RunTree<BinomialTree>);

}  // namespace
}  // namespace bench
