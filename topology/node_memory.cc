#include "filch/topology/node_memory.h"

#include <hwloc.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "filch/topology/hwloc_handle.h"

namespace filch {
namespace {

using topology_internal::HwlocHandle;
using topology_internal::NewHwlocHandle;

}  // namespace

NodeBlock::NodeBlock(std::shared_ptr<hwloc_topology> topology, void* data, std::size_t size)
    : topology_(std::move(topology)), data_(data), size_(size) {}

NodeBlock::NodeBlock(NodeBlock&& other) noexcept
    : topology_(std::move(other.topology_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

NodeBlock& NodeBlock::operator=(NodeBlock&& other) noexcept {
  NodeBlock old(std::move(*this));
  topology_ = std::move(other.topology_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

NodeBlock::~NodeBlock() {
  if (data_ != nullptr) hwloc_free(topology_.get(), data_, size_);
}

NodeMemory::NodeMemory(std::shared_ptr<hwloc_topology> topology) : topology_(std::move(topology)) {}

absl::StatusOr<NodeMemory> NodeMemory::Open() {
  absl::StatusOr<HwlocHandle> handle = NewHwlocHandle();
  if (!handle.ok()) return handle.status();
  // Nodes and cpus cannot be left out, and nothing else matters here.
  hwloc_topology_set_all_types_filter(handle->get(), HWLOC_TYPE_FILTER_KEEP_NONE);
  if (hwloc_topology_load(handle->get()) != 0) {
    return absl::UnavailableError("hwloc cannot load this machine.");
  }
  return NodeMemory(std::shared_ptr<hwloc_topology>(*std::move(handle)));
}

absl::StatusOr<NodeBlock> NodeMemory::Allocate(std::size_t bytes, int node) const {
  if (bytes == 0) return absl::InvalidArgumentError("A block of memory needs at least one byte.");
  const hwloc_obj_t object =
      node < 0 ? nullptr
               : hwloc_get_numanode_obj_by_os_index(topology_.get(), static_cast<unsigned>(node));
  if (object == nullptr) {
    return absl::NotFoundError(absl::StrCat("This process has no NUMA node ", node, "."));
  }
  const hwloc_topology_support* support = hwloc_topology_get_support(topology_.get());
  if (support->membind->alloc_membind == 0 || support->membind->bind_membind == 0) {
    return absl::UnimplementedError("This system cannot bind memory to a NUMA node.");
  }
  void* data = hwloc_alloc_membind(topology_.get(), bytes, object->nodeset, HWLOC_MEMBIND_BIND,
                                   HWLOC_MEMBIND_BYNODESET | HWLOC_MEMBIND_STRICT);
  if (data == nullptr) {
    const int error = errno;
    return absl::ResourceExhaustedError(absl::StrCat("The system refuses ", bytes,
                                                     " bytes on NUMA node ", node, ": ",
                                                     std::strerror(error), "."));
  }
  return NodeBlock(topology_, data, bytes);
}

absl::StatusOr<std::vector<int>> NodeMemory::NodesHolding(const NodeBlock& block) const {
  struct Freer {
    void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
  };
  const std::unique_ptr<hwloc_bitmap_s, Freer> nodes(hwloc_bitmap_alloc());
  if (nodes == nullptr) return absl::ResourceExhaustedError("No memory for a set of nodes.");
  if (hwloc_get_area_memlocation(topology_.get(), block.data(), block.size(), nodes.get(),
                                 HWLOC_MEMBIND_BYNODESET) != 0) {
    const int error = errno;
    return absl::UnimplementedError(
        absl::StrCat("The system does not tell where memory is: ", std::strerror(error), "."));
  }
  std::vector<int> result;
  for (int node = hwloc_bitmap_first(nodes.get()); node >= 0;
       node = hwloc_bitmap_next(nodes.get(), node)) {
    result.push_back(node);
  }
  return result;
}

}  // namespace filch
