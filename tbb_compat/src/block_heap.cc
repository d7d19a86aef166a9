#include "filch/tbb_compat/src/block_heap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>

namespace filch::tbb_compat_internal {
namespace {

// In the low bits of a block's size.
constexpr std::size_t kFree = 1;
constexpr std::size_t kBeforeIsFree = 2;
constexpr std::size_t kFirst = 4;  // of its piece
constexpr std::size_t kLast = 8;
constexpr std::size_t kFlags = kFree | kBeforeIsFree | kFirst | kLast;
static_assert(kFlags < BlockHeap::kAlignment, "sizes are multiples of the alignment");

// In the low bits of a heap's address.
constexpr std::uintptr_t kUnits = BlockHeap::kMostSmallUnits;
static_assert(kUnits < alignof(BlockHeap));

constexpr std::size_t RoundUp(std::size_t n, std::size_t alignment) {
  return (n + alignment - 1) & ~(alignment - 1);
}

unsigned char* Bytes(void* memory) { return static_cast<unsigned char*>(memory); }

template <typename T>
T* At(void* memory) {
  return std::launder(static_cast<T*>(memory));
}

}  // namespace

// --- Blocks and pieces

// Lies before the memory that is handed out. A free block has its links behind it, and its
// size once more in its last bytes, where the block after it finds it.
struct BlockHeap::Block {
  std::size_t size() const { return size_and_flags & ~kFlags; }
  bool Is(std::size_t flags) const { return (size_and_flags & flags) == flags; }

  // Its neighbours change the flags, too.
  std::size_t size_and_flags;
  // No heap if it is free or set aside, so that who frees it once more is likely to be found
  // out. Whoever has the block may look without the heap's other users knowing.
  std::uintptr_t heap_and_units;
};

struct BlockHeap::Links {
  Block* next;
  Block* previous;
};

static_assert(sizeof(BlockHeap::Piece) % BlockHeap::kAlignment == 0, "a block is behind it");

// With its header.
std::size_t BlockHeap::WholeSize(std::size_t size) {
  static_assert(sizeof(Block) % kAlignment == 0, "what is handed out is behind it");
  return std::max(RoundUp(sizeof(Block) + size, kAlignment), SmallestSize());
}

constexpr std::size_t BlockHeap::SmallestSize() {
  constexpr std::size_t kBytes =
      RoundUp(sizeof(Block) + sizeof(Links) + sizeof(std::size_t), kAlignment);
  static_assert(kBytes == sizeof(Block) + kLeastUnits * kAlignment);
  return kBytes;
}

// The free memory in which such a block can be placed; what is before it is then a block, too.
std::size_t BlockHeap::RoomFor(std::size_t size, std::size_t alignment) {
  return WholeSize(size) + (alignment <= kAlignment ? 0 : alignment + SmallestSize());
}

BlockHeap* BlockHeap::HeapOf(void* memory) {
  return reinterpret_cast<BlockHeap*>(BlockOf(memory)->heap_and_units & ~kUnits);
}

std::size_t BlockHeap::SizeOf(void* memory) { return BlockOf(memory)->size() - sizeof(Block); }

std::size_t BlockHeap::SmallUnitsOf(void* memory) {
  return BlockOf(memory)->heap_and_units & kUnits;
}

void BlockHeap::SetAside(void* memory) { BlockOf(memory)->heap_and_units &= kUnits; }

void BlockHeap::TakeUp(void* memory) {
  BlockOf(memory)->heap_and_units |= reinterpret_cast<std::uintptr_t>(this);
}

BlockHeap::Block* BlockHeap::BlockOf(void* memory) {
  return At<Block>(Bytes(memory) - sizeof(Block));
}

BlockHeap::Links& BlockHeap::LinksOf(Block* block) {
  return *At<Links>(Bytes(block) + sizeof(Block));
}

BlockHeap::Block* BlockHeap::After(Block* block) {
  if (block->Is(kLast)) return nullptr;
  return At<Block>(Bytes(block) + block->size());
}

// Of the first block.
BlockHeap::Piece* BlockHeap::PieceOf(Block* block) {
  return At<Piece>(Bytes(block) - sizeof(Piece));
}

// The block that the whole piece is.
BlockHeap::Block* BlockHeap::WholeOf(Piece* piece) {
  unsigned char* const begin = Bytes(piece) + sizeof(Piece);
  unsigned char* const end = Bytes(piece->memory.begin) + piece->memory.bytes;
  const std::size_t size = static_cast<std::size_t>(end - begin) & ~(kAlignment - 1);
  return ::new (static_cast<void*>(begin)) Block{size | kFirst | kLast, 0};
}

// `size` bytes stay the block; what is behind them is another one, and returned.
BlockHeap::Block* BlockHeap::Split(Block* block, std::size_t size) {
  const std::size_t flags = block->size_and_flags & kFlags;
  Block* const rest = ::new (static_cast<void*>(Bytes(block) + size))
      Block{(block->size() - size) | (flags & kLast), 0};
  block->size_and_flags = size | (flags & ~kLast);
  return rest;
}

// The block after it is a part of it now.
void BlockHeap::Append(Block* block, const Block* after) {
  block->size_and_flags += after->size() | (after->size_and_flags & kLast);
}

void BlockHeap::Own(Block* block) {
  const std::size_t units = (block->size() - sizeof(Block)) / kAlignment;
  block->heap_and_units =
      reinterpret_cast<std::uintptr_t>(this) | (units <= kMostSmallUnits ? units : 0);
}

// --- Free blocks

std::size_t BlockHeap::BinOf(std::size_t size) {
  const std::size_t units = size / kAlignment;
  const auto log2 = static_cast<std::size_t>(63 - __builtin_clzll(units));
  return log2 < 2 ? units : 4 * (log2 - 1) + ((units >> (log2 - 2)) & 3);
}

void BlockHeap::Link(Block* block) {
  block->size_and_flags |= kFree;
  unsigned char* const end = Bytes(block) + block->size();
  ::new (static_cast<void*>(end - sizeof(std::size_t))) std::size_t(block->size());
  if (Block* const after = After(block)) after->size_and_flags |= kBeforeIsFree;
  if (block->Is(kFirst | kLast)) empty_bytes_ += PieceOf(block)->memory.bytes;

  const std::size_t bin = BinOf(block->size());
  Block* const next = bins_[bin];
  ::new (static_cast<void*>(Bytes(block) + sizeof(Block))) Links{next, nullptr};
  if (next != nullptr) LinksOf(next).previous = block;
  bins_[bin] = block;
  filled_[bin / kBinsInWord] |= std::uint64_t{1} << bin % kBinsInWord;
}

void BlockHeap::Unlink(Block* block) {
  const std::size_t bin = BinOf(block->size());
  const Links links = LinksOf(block);
  (links.previous != nullptr ? LinksOf(links.previous).next : bins_[bin]) = links.next;
  if (links.next != nullptr) LinksOf(links.next).previous = links.previous;
  if (bins_[bin] == nullptr) filled_[bin / kBinsInWord] &= ~(std::uint64_t{1} << bin % kBinsInWord);

  block->size_and_flags &= ~kFree;
  if (Block* const after = After(block)) after->size_and_flags &= ~kBeforeIsFree;
  if (block->Is(kFirst | kLast)) empty_bytes_ -= PieceOf(block)->memory.bytes;
}

// The blocks in the bins above that of the size are all large enough; those in its own may
// be many that are too small. But for the first of them, which is there when blocks of one
// size come and go, they are looked at when there is nothing else.
BlockHeap::Block* BlockHeap::Find(std::size_t size) const {
  const std::size_t own = BinOf(size);
  if (bins_[own] != nullptr && bins_[own]->size() >= size) return bins_[own];
  std::size_t word = (own + 1) / kBinsInWord;
  std::uint64_t above = filled_[word] & (~std::uint64_t{0} << (own + 1) % kBinsInWord);
  while (above == 0 && ++word < std::size(filled_)) above = filled_[word];
  if (above != 0) {
    return bins_[word * kBinsInWord + static_cast<std::size_t>(__builtin_ctzll(above))];
  }
  Block* block = bins_[own];
  while (block != nullptr && block->size() < size) block = LinksOf(block).next;
  return block;
}

// Returns the free block that it is a part of now.
BlockHeap::Block* BlockHeap::Release(Block* block) {
  block->heap_and_units = 0;
  if (Block* const after = After(block); after != nullptr && after->Is(kFree)) {
    Unlink(after);
    Append(block, after);
  }
  if (block->Is(kBeforeIsFree)) {
    const std::size_t size = *At<std::size_t>(Bytes(block) - sizeof(std::size_t));
    Block* const before = At<Block>(Bytes(block) - size);
    Unlink(before);
    Append(before, block);
    block = before;
  }
  Link(block);
  return block;
}

// Frees what the block has beyond the size.
void BlockHeap::Trim(Block* block, std::size_t size) {
  if (block->size() - size >= SmallestSize()) Release(Split(block, size));
}

// --- The heap

std::size_t BlockHeap::PieceFor(std::size_t size, std::size_t alignment) {
  return sizeof(Piece) + RoomFor(size, alignment) + 2 * kAlignment;
}

bool BlockHeap::Add(Memory memory) {
  void* place = memory.begin;
  std::size_t space = memory.bytes;
  if (std::align(kAlignment, sizeof(Piece) + SmallestSize(), place, space) == nullptr) return false;
  Piece* const piece = ::new (place) Piece{pieces_, nullptr, memory};
  if (pieces_ != nullptr) pieces_->previous = piece;
  pieces_ = piece;
  Link(WholeOf(piece));
  return true;
}

BlockHeap::Memory BlockHeap::Remove(Piece* piece) {
  Unlink(At<Block>(Bytes(piece) + sizeof(Piece)));
  (piece->previous != nullptr ? piece->previous->next : pieces_) = piece->next;
  if (piece->next != nullptr) piece->next->previous = piece->previous;
  return piece->memory;
}

void* BlockHeap::Allocate(std::size_t size, std::size_t alignment) {
  Block* block = Find(RoomFor(size, alignment));
  if (block == nullptr) return nullptr;
  Unlink(block);
  const auto begin = reinterpret_cast<std::uintptr_t>(block) + sizeof(Block);
  std::uintptr_t aligned = RoundUp(begin, alignment);
  if (aligned != begin) {
    if (aligned - begin < SmallestSize()) aligned = RoundUp(begin + SmallestSize(), alignment);
    Block* const before = block;
    block = Split(before, aligned - begin);
    Link(before);
  }
  Trim(block, WholeSize(size));
  Own(block);
  return Bytes(block) + sizeof(Block);
}

BlockHeap::Piece* BlockHeap::Free(void* memory) {
  Block* const block = Release(BlockOf(memory));
  return block->Is(kFirst | kLast) ? PieceOf(block) : nullptr;
}

bool BlockHeap::Resize(void* memory, std::size_t size) {
  Block* const block = BlockOf(memory);
  const std::size_t whole = WholeSize(size);
  if (whole > block->size()) {
    Block* const after = After(block);
    if (after == nullptr || !after->Is(kFree) || whole > block->size() + after->size()) {
      return false;
    }
    Unlink(after);
    Append(block, after);
  }
  Trim(block, whole);
  Own(block);
  return true;
}

void BlockHeap::Clear() {
  std::fill(std::begin(bins_), std::end(bins_), nullptr);
  std::fill(std::begin(filled_), std::end(filled_), 0);
  empty_bytes_ = 0;
  for (Piece* piece = pieces_; piece != nullptr; piece = piece->next) Link(WholeOf(piece));
}

}  // namespace filch::tbb_compat_internal
