// Unbalanced tree search: counts the nodes of a tree that nobody knows before.
//
// How many children a node has follows from its hash.  In the geometric tree
// they are geometrically distributed, two on average, down to a depth of `size`.
// In the binomial tree the root has `size` children, and every other node has
// eight with a probability of just below one eighth, else none: subtrees
// differ by orders of magnitude.  After the benchmark of Olivier et al., with a
// cheap hash instead of SHA-1, so that the scheduler is what costs.
//
// The unit is a node.
#ifndef FILCH_TOOLS_BENCH_UTS_UTS_H_
#define FILCH_TOOLS_BENCH_UTS_UTS_H_

#include <cstdint>

#include "tools/bench/harness/run.h"

namespace bench {

struct TreeNode {
  std::uint64_t hash;
  std::uint32_t depth;
};

// SplitMix64's finaliser.
inline std::uint64_t Mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

inline TreeNode Child(const TreeNode& node, std::uint32_t number) {
  return {Mixed(node.hash + number), node.depth + 1};
}

struct GeometricTree {
  std::uint32_t size;
  static TreeNode Root() { return {Mixed(42), 0}; }

  // The sum of two geometric numbers of mean one: the zeros at the end of a word.
  std::uint32_t Children(const TreeNode& node) const {
    if (node.depth >= size) return 0;
    if (node.depth < 3) return 4;  // do not die out at the root
    const auto low = static_cast<std::uint32_t>(node.hash) | 0x8000'0000u;
    const auto high = static_cast<std::uint32_t>(node.hash >> 32) | 0x8000'0000u;
    return static_cast<std::uint32_t>(__builtin_ctz(low) + __builtin_ctz(high));
  }
};

struct BinomialTree {
  std::uint32_t size;
  static TreeNode Root() { return {Mixed(7), 0}; }

  std::uint32_t Children(const TreeNode& node) const {
    if (node.depth == 0) return size;
    return (node.hash >> 32) < 0x1ff0'0000u ? 8 : 0;  // 0.1248 of all
  }
};

template <typename Tree>
std::int64_t SerialCount(const Tree& tree, const TreeNode& node) {
  std::int64_t count = 1;
  const std::uint32_t children = tree.Children(node);
  for (std::uint32_t i = 0; i < children; ++i) count += SerialCount(tree, Child(node, i));
  return count;
}

// `count` is a function of a tree and a node.
template <typename Tree, typename Count>
void TimeTree(Run& run, Count count) {
  const Tree tree{static_cast<std::uint32_t>(run.size())};
  const std::int64_t nodes = SerialCount(tree, Tree::Root());
  std::int64_t counted = 0;
  run.Time(static_cast<double>(nodes), [&] { counted = count(tree, Tree::Root()); });
  run.Answer(counted);
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_UTS_UTS_H_
