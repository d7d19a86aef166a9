// BlockHeap: pieces of memory that are cut into blocks, and put together again.
//
// What the pools with memory of their own are made of. To allocate and to free takes the
// same time however many blocks there are; only who is about to go without a block looks
// longer. A block that is freed is one with its free neighbours at once, so a piece is
// whole again when its blocks are free. Whoever has a block can tell its heap and its size.
//
// One thread at a time, but for what only looks at a block that the caller has: HeapOf and
// SmallUnitsOf, SetAside and TakeUp.
#ifndef FILCH_TBB_COMPAT_SRC_BLOCK_HEAP_H_
#define FILCH_TBB_COMPAT_SRC_BLOCK_HEAP_H_

#include <cstddef>
#include <cstdint>

namespace filch::tbb_compat_internal {

// Aligned, for blocks keep something beside its address.
class alignas(64) BlockHeap {
 public:
  // What every block is aligned to.
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);
  // No size and no alignment that a heap is asked for is larger, so that sums fit.
  static constexpr std::size_t kLimit = SIZE_MAX / 8;
  // A block of no more units of the alignment is small.
  static constexpr std::size_t kMostSmallUnits = 63;

  struct Memory {
    void* begin;
    std::size_t bytes;
  };
  // The note that lies at the beginning of each piece.
  struct Piece {
    Piece* next;
    Piece* previous;
    Memory memory;
  };

  BlockHeap() = default;
  BlockHeap(const BlockHeap&) = delete;
  BlockHeap& operator=(const BlockHeap&) = delete;

  // The bytes of a piece that has room for such a block wherever the piece lies.
  static std::size_t PieceFor(std::size_t size, std::size_t alignment);
  // False, and the heap does not take it, if there is no room for any block.
  bool Add(Memory memory);
  // A piece without blocks is the heap's no more.
  Memory Remove(Piece* piece);
  Piece* first_piece() const { return pieces_; }
  // What the pieces without blocks have.
  std::size_t empty_bytes() const { return empty_bytes_; }

  // `alignment` is a power of two. Null if no free part is large enough.
  void* Allocate(std::size_t size, std::size_t alignment);
  // Its piece if that is empty now, and null otherwise.
  Piece* Free(void* memory);
  // Makes the block smaller, or larger by what is free behind it. False, and nothing
  // happens, if that is not enough.
  bool Resize(void* memory, std::size_t size);
  // All blocks are free.
  void Clear();

  // Of a block that was allocated.
  static BlockHeap* HeapOf(void* memory);
  // The bytes that may be used, at least as many as were asked for.
  static std::size_t SizeOf(void* memory);
  // The same in units, if it is small, and 0 else.
  static std::size_t SmallUnitsOf(void* memory);
  // Those of a block for so many bytes that has no more than it needs; 0 if it is not small.
  static std::size_t SmallUnitsFor(std::size_t size) {
    if (size > kMostSmallUnits * kAlignment) return 0;
    return size <= kLeastUnits * kAlignment ? kLeastUnits : (size + kAlignment - 1) / kAlignment;
  }

  // The block is nobody's until it is taken up again; it is not free.
  static void SetAside(void* memory);
  void TakeUp(void* memory);

 private:
  struct Block;
  struct Links;

  // What a free block keeps behind its header has to fit.
  static constexpr std::size_t kLeastUnits = 2;

  // Four for each power of two.
  static constexpr std::size_t kBins = 256;
  static constexpr std::size_t kBinsInWord = 64;

  static constexpr std::size_t SmallestSize();
  static std::size_t WholeSize(std::size_t size);
  static std::size_t RoomFor(std::size_t size, std::size_t alignment);
  static Block* BlockOf(void* memory);
  static std::size_t BinOf(std::size_t size);
  static Links& LinksOf(Block* block);
  static Block* After(Block* block);
  static Piece* PieceOf(Block* block);
  static Block* WholeOf(Piece* piece);
  static Block* Split(Block* block, std::size_t size);
  static void Append(Block* block, const Block* after);
  void Own(Block* block);

  Block* Find(std::size_t size) const;
  void Link(Block* block);
  void Unlink(Block* block);
  Block* Release(Block* block);
  void Trim(Block* block, std::size_t size);

  Piece* pieces_ = nullptr;
  std::size_t empty_bytes_ = 0;
  Block* bins_[kBins] = {};
  // Which bins have blocks.
  std::uint64_t filled_[kBins / kBinsInWord] = {};
};

}  // namespace filch::tbb_compat_internal

#endif  // FILCH_TBB_COMPAT_SRC_BLOCK_HEAP_H_
