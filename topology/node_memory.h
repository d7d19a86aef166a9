// NodeMemory: blocks of memory on a NUMA node of one's choice.
//
// Use it for large blocks that workers of one node use for long: every block is
// a mapping of whole pages and costs system calls.  For everything else ordinary
// memory is better: the system puts a page on the node of the thread that first
// writes to it.
//
// Nothing is placed elsewhere silently: where a block cannot be bound to its
// node, the status says why, and the caller decides what to do instead.
//
// Any thread may call everything; copies of a NodeMemory are the same one.
//
//   absl::StatusOr<NodeMemory> memory = NodeMemory::Open();
//   absl::StatusOr<NodeBlock> block = memory->Allocate(1 << 20, machine.nodes[1].id);
//   if (!block.ok()) return UseOrdinaryMemory(block.status());
//   Use(block->data(), block->size());
#ifndef FILCH_TOPOLOGY_NODE_MEMORY_H_
#define FILCH_TOPOLOGY_NODE_MEMORY_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"

struct hwloc_topology;  // hwloc's

namespace filch {

// A block of memory, freed with its owner.  It may outlive its NodeMemory.
class NodeBlock {
 public:
  NodeBlock(NodeBlock&& other) noexcept;
  NodeBlock& operator=(NodeBlock&& other) noexcept;
  ~NodeBlock();

  // Aligned to a page.
  void* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  friend class NodeMemory;
  NodeBlock(std::shared_ptr<hwloc_topology> topology, void* data, std::size_t size);

  std::shared_ptr<hwloc_topology> topology_;
  void* data_;
  std::size_t size_;
};

class NodeMemory {
 public:
  // Takes about a millisecond; keep the result.
  static absl::StatusOr<NodeMemory> Open();

  // Memory on the node that the operating system calls `node` (Machine::Node's
  // id).  NotFound if there is no such node for this process, Unimplemented if
  // the system cannot bind memory, ResourceExhausted if it refuses this block,
  // always with a sentence.
  absl::StatusOr<NodeBlock> Allocate(std::size_t bytes, int node) const;

  // The nodes, by the operating system's numbers, that hold the pages of the
  // block which somebody has written to.
  absl::StatusOr<std::vector<int>> NodesHolding(const NodeBlock& block) const;

 private:
  explicit NodeMemory(std::shared_ptr<hwloc_topology> topology);

  std::shared_ptr<hwloc_topology> topology_;
};

}  // namespace filch

#endif  // FILCH_TOPOLOGY_NODE_MEMORY_H_
