#include "growing_heap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../include/oneapi/tbb/scalable_allocator.h"
#include "filch/tbb_compat/src/block_list.h"

namespace rml {
inline namespace filch_1 {
namespace {

// Of the pieces that a pool takes without need for more: each is twice as large as all before,
// so that there are few, and within these bounds.
constexpr std::size_t kSmallestPiece = std::size_t{1} << 20;
constexpr std::size_t kLargestPiece = std::size_t{2} << 20;

// Of the pieces' sizes, if the program names none.
constexpr std::size_t kGranularity = std::size_t{64} << 10;

// Of the pieces that are empty, a pool keeps so much for blocks that come and go, and besides
// as much as it has taken again after it had given it back, but no more than was ever in use.
constexpr std::size_t kKeptEmpty = std::size_t{4} << 20;

}  // namespace

GrowingHeap::GrowingHeap(std::intptr_t id, const MemPoolPolicy& policy) : id_(id), policy_(policy) {
  if (policy_.granularity == 0) policy_.granularity = kGranularity;
}

bool GrowingHeap::TakePiece(std::size_t bytes) {
  const std::size_t granularity = policy_.granularity;
  if (granularity - 1 > SIZE_MAX - bytes) return false;
  const std::size_t wanted = (bytes + granularity - 1) / granularity * granularity;
  Memory memory{nullptr, wanted};
  memory.begin = policy_.pAlloc(id_, memory.bytes);
  if (memory.begin == nullptr) return false;
  taken_ += memory.bytes;
  const std::size_t again = std::min(given_back_, memory.bytes);
  given_back_ -= again;
  taken_again_ += again;
  if ((policy_.fixedPool || memory.bytes >= wanted) && Add(memory)) return true;
  GiveBack(memory);
  return false;
}

bool GrowingHeap::TakePieceFor(std::size_t size, std::size_t alignment) {
  const std::size_t least = PieceFor(size, alignment);
  if (policy_.fixedPool) {
    if (has_asked_) return false;
    has_asked_ = true;
    return TakePiece(std::max(least, kLargestPiece));
  }
  const std::size_t ample = std::clamp(2 * taken_, kSmallestPiece, kLargestPiece);
  // A second block of the size has to fit, or the rest is of little use.
  if ((ample / 2 > least && TakePiece(ample)) || TakePiece(least)) return true;
  return GiveBackEmpty() && TakePiece(least);
}

// Whether there was anything.
bool GrowingHeap::GiveBackEmpty() {
  if (policy_.keepAllMemory) return false;
  bool any = false;
  for (Piece* piece = first_piece(); piece != nullptr;) {
    Piece* const next = piece->next;
    if (IsEmpty(piece)) {
      any = true;
      GiveBack(Remove(piece));
    }
    piece = next;
  }
  return any;
}

bool GrowingHeap::GiveBack(Memory memory) {
  taken_ -= memory.bytes;
  return policy_.pFree == nullptr || policy_.pFree(id_, memory.begin, memory.bytes) == 0;
}

void* GrowingHeap::AllocateAndGrow(std::size_t size, std::size_t alignment) {
  void* object = Allocate(size, alignment);
  if (object == nullptr && TakePieceFor(size, alignment)) object = Allocate(size, alignment);
  most_used_ = std::max(most_used_, taken_ - empty_bytes());
  return object;
}

void GrowingHeap::FreeAndShrink(filch::tbb_compat_internal::BlockList blocks) {
  while (!blocks.is_empty()) {
    Piece* const empty = Free(blocks.Pop());
    if (empty == nullptr || policy_.fixedPool || policy_.keepAllMemory) continue;
    const std::size_t kept = kKeptEmpty + std::min(taken_again_, most_used_);
    if (empty_bytes() <= std::max(kept, policy_.granularity)) continue;
    const Memory memory = Remove(empty);
    given_back_ += memory.bytes;
    GiveBack(memory);
  }
}

bool GrowingHeap::GiveEverythingBack() {
  Clear();
  bool all_taken = true;
  while (Piece* const piece = first_piece()) all_taken = GiveBack(Remove(piece)) && all_taken;
  return all_taken;
}

}  // namespace filch_1
}  // namespace rml
