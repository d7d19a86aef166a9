#include "filch/topology/node_memory.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "filch/topology/machine.h"
#include "gtest/gtest.h"

namespace filch {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;

// The nodes of this machine on which a block can be had.  Containers may forbid
// binding memory; then every refusal has a reason.
std::vector<int> UsableNodes(const NodeMemory& memory) {
  std::vector<int> nodes;
  const absl::StatusOr<Machine> machine = Machine::Detect();
  EXPECT_TRUE(machine.ok());
  for (const Machine::Node& node : machine->nodes) {
    const absl::StatusOr<NodeBlock> block = memory.Allocate(kBytes, node.id);
    if (block.ok()) {
      nodes.push_back(node.id);
    } else {
      EXPECT_EQ(block.status().message().back(), '.') << block.status();
    }
  }
  return nodes;
}

TEST(NodeMemoryTest, BlocksAreOnTheirNodeAndUsable) {
  const absl::StatusOr<NodeMemory> memory = NodeMemory::Open();
  ASSERT_TRUE(memory.ok()) << memory.status();
  for (int node : UsableNodes(*memory)) {
    const absl::StatusOr<NodeBlock> block = memory->Allocate(kBytes, node);
    ASSERT_TRUE(block.ok());
    EXPECT_EQ(block->size(), kBytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block->data()) % 4096, 0u);
    std::memset(block->data(), 0x5A, block->size());
    EXPECT_EQ(static_cast<unsigned char*>(block->data())[kBytes - 1], 0x5A);
    const absl::StatusOr<std::vector<int>> holding = memory->NodesHolding(*block);
    if (holding.ok()) {
      EXPECT_EQ(*holding, std::vector<int>{node});
    } else {
      EXPECT_EQ(holding.status().code(), absl::StatusCode::kUnimplemented);
    }
  }
}

TEST(NodeMemoryTest, ABlockMovesAndOutlivesItsNodeMemory) {
  std::optional<NodeBlock> kept;
  {
    const absl::StatusOr<NodeMemory> memory = NodeMemory::Open();
    ASSERT_TRUE(memory.ok());
    for (int node : UsableNodes(*memory)) {
      NodeBlock first = *memory->Allocate(kBytes, node);
      NodeBlock second = *memory->Allocate(kBytes, node);
      void* const data = second.data();
      first = std::move(second);
      EXPECT_EQ(first.data(), data);
      kept.emplace(std::move(first));
      EXPECT_EQ(kept->data(), data);
      EXPECT_EQ(kept->size(), kBytes);
    }
  }
  if (kept) std::memset(kept->data(), 1, kept->size());
}

TEST(NodeMemoryTest, ImpossibleWishesGiveASentence) {
  const absl::StatusOr<NodeMemory> memory = NodeMemory::Open();
  ASSERT_TRUE(memory.ok());
  EXPECT_EQ(memory->Allocate(0, 0).status().code(), absl::StatusCode::kInvalidArgument);
  for (int node : {-1, 4711}) {
    const absl::StatusOr<NodeBlock> block = memory->Allocate(kBytes, node);
    EXPECT_EQ(block.status().code(), absl::StatusCode::kNotFound);
    EXPECT_EQ(block.status().message().back(), '.');
  }
  for (int node : UsableNodes(*memory)) {
    const absl::StatusOr<NodeBlock> block =
        memory->Allocate(std::numeric_limits<std::size_t>::max() / 2, node);
    EXPECT_EQ(block.status().code(), absl::StatusCode::kResourceExhausted) << block.status();
  }
}

}  // namespace
}  // namespace filch
