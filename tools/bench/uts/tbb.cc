#include <tbb/task_group.h>

#include <vector>

#include "tools/bench/uts/uts.h"

namespace bench {
namespace {

template <typename Tree>
std::int64_t Count(const Tree& tree, const TreeNode& node) {
  const std::uint32_t children = tree.Children(node);
  if (children == 0) return 1;
  std::vector<std::int64_t> counts(children);
  tbb::task_group group;
  for (std::uint32_t i = 0; i < children; ++i) {
    group.run([&tree, &count = counts[i], child = Child(node, i)] { count = Count(tree, child); });
  }
  group.wait();
  std::int64_t sum = 1;
  for (const std::int64_t count : counts) sum += count;
  return sum;
}

template <typename Tree>
void RunTree(Run& run) {
  TimeTree<Tree>(run, Count<Tree>);
}

const Registration geometric("uts_geometric", RunTree<GeometricTree>);
const Registration binomial("uts_binomial", RunTree<BinomialTree>);

}  // namespace
}  // namespace bench
