#include "filch/pool/join.h"
#include "tools/bench/uts/uts.h"

namespace bench {
namespace {

template <typename Tree>
std::int64_t Count(const Tree& tree, const TreeNode& node);

// The children [begin, end), halved until there is one.
template <typename Tree>
std::int64_t CountChildren(const Tree& tree, const TreeNode& node, std::uint32_t begin,
                           std::uint32_t end) {
  if (end - begin == 1) return Count(tree, Child(node, begin));
  const std::uint32_t middle = begin + (end - begin) / 2;
  std::int64_t left = 0;
  std::int64_t right = 0;
  filch::Join([&] { left = CountChildren(tree, node, begin, middle); },
              [&] { right = CountChildren(tree, node, middle, end); });
  return left + right;
}

template <typename Tree>
std::int64_t Count(const Tree& tree, const TreeNode& node) {
  const std::uint32_t children = tree.Children(node);
  return children == 0 ? 1 : 1 + CountChildren(tree, node, 0, children);
}

template <typename Tree>
void RunTree(Run& run) {
  TimeTree<Tree>(run, Count<Tree>);
}

const Registration geometric("uts_geometric", RunTree<GeometricTree>);
const Registration binomial("uts_binomial", RunTree<BinomialTree>);

}  // namespace
}  // namespace bench
