#include "filch/tbb_compat/src/block_heap.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>

namespace filch::tbb_compat_internal {
namespace {

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

static_assert(BlockHeap::kMostClasses < alignof(BlockHeap));

struct BlockHeap::Links {
  Block* next;
  Block* previous;
};

static_assert(sizeof(BlockHeap::Piece) % BlockHeap::kAlignment == 0, "a block is behind it");

// With its header.
std::size_t BlockHeap::WholeSize(std::size_t size) {
  return std::max(RoundUp(sizeof(Block) + size, kAlignment), SmallestSize());
}

constexpr std::size_t BlockHeap::SmallestSize() {
  return RoundUp(sizeof(Block) + sizeof(Links) + sizeof(std::size_t), kAlignment);
}

// The free memory in which such a block can be placed; what is before it is then a block, too.
std::size_t BlockHeap::RoomFor(std::size_t size, std::size_t alignment) {
  return WholeSize(size) + (alignment <= kAlignment ? 0 : alignment + SmallestSize());
}

BlockHeap::Links& BlockHeap::LinksOf(Block* block) {
  return *At<Links>(Bytes(block) + sizeof(Block));
}

BlockHeap::Block* BlockHeap::After(Block* block) {
  if (block->Is(kLast)) return nullptr;
  return HeaderAt(Bytes(block) + block->size());
}

// Of the first block.
BlockHeap::Piece* BlockHeap::PieceOf(Block* block) {
  return At<Piece>(Bytes(block) - sizeof(Piece));
}

// The block that the whole piece is.
BlockHeap::Block* BlockHeap::BlockIn(Piece* piece) {
  unsigned char* const begin = Bytes(piece) + sizeof(Piece);
  unsigned char* const end = Bytes(piece->memory.begin) + piece->memory.bytes;
  const std::size_t size = static_cast<std::size_t>(end - begin) & ~(kAlignment - 1);
  return ::new (static_cast<void*>(begin)) Block(size | kFirst | kLast, 0);
}

// `size` bytes stay the block; what is behind them is another one, and returned.
BlockHeap::Block* BlockHeap::Split(Block* block, std::size_t size) {
  const std::size_t flags = block->flags();
  Block* const rest = ::new (static_cast<void*>(Bytes(block) + size))
      Block((block->size() - size) | (flags & kLast), 0);
  block->Set(size | (flags & ~kLast));
  return rest;
}

// The block after it is a part of it now.
void BlockHeap::Append(Block* block, const Block* after) {
  block->Set((block->word() + after->size()) | (after->flags() & kLast));
}

void BlockHeap::Own(Block* block) {
  block->heap_and_class = reinterpret_cast<std::uintptr_t>(this);
}

// --- Free blocks

std::size_t BlockHeap::BinOf(std::size_t size) {
  const std::size_t units = size / kAlignment;
  const auto log2 = static_cast<std::size_t>(63 - __builtin_clzll(units));
  return log2 < 2 ? units : 4 * (log2 - 1) + ((units >> (log2 - 2)) & 3);
}

void BlockHeap::Link(Block* block) {
  block->Raise(kFree);
  unsigned char* const end = Bytes(block) + block->size();
  ::new (static_cast<void*>(end - sizeof(std::size_t))) std::size_t(block->size());
  if (Block* const after = After(block)) after->Raise(kBeforeIsFree);
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

  block->Lower(kFree);
  if (Block* const after = After(block)) after->Lower(kBeforeIsFree);
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
  block->heap_and_class = 0;
  if (Block* const after = After(block); after != nullptr && after->Is(kFree)) {
    Unlink(after);
    Append(block, after);
  }
  if (block->Is(kBeforeIsFree)) {
    const std::size_t size = *At<std::size_t>(Bytes(block) - sizeof(std::size_t));
    Block* const before = HeaderAt(Bytes(block) - size);
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
  Link(BlockIn(piece));
  return true;
}

BlockHeap::Memory BlockHeap::Remove(Piece* piece) {
  Unlink(HeaderAt(Bytes(piece) + sizeof(Piece)));
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
  for (Piece* piece = pieces_; piece != nullptr; piece = piece->next) Link(BlockIn(piece));
}

}  // namespace filch::tbb_compat_internal
