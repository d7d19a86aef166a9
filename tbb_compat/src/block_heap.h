// BlockHeap: pieces of memory that are cut into blocks, and put together again.
//
// What the pools with memory of their own are made of. To allocate and to free takes the
// same time however many blocks there are; only who is about to go without a block looks
// longer. A block that is freed is one with its free neighbours at once, so a piece is
// whole again when its blocks are free. Whoever has a block can tell its heap and its size.
// A block may be cut into parts, which tell their heap, and what they are parts of.
//
// One thread at a time, but for what is only about a block that the caller has: HeapOf, SizeOf,
// MakePart, WholeOf and ClassOf, SetAside and TakeUp.
#ifndef FILCH_TBB_COMPAT_SRC_BLOCK_HEAP_H_
#define FILCH_TBB_COMPAT_SRC_BLOCK_HEAP_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

namespace filch::tbb_compat_internal {

// Aligned, for blocks keep something beside its address.
class alignas(64) BlockHeap {
 public:
  // What every block is aligned to.
  static constexpr std::size_t kAlignment = alignof(std::max_align_t);
  // No size and no alignment that a heap is asked for is larger, so that sums fit.
  static constexpr std::size_t kLimit = SIZE_MAX / 8;
  // What lies before each block.
  static constexpr std::size_t kHeader = 16;
  // Parts are of classes from 1 to this one.
  static constexpr unsigned kMostClasses = 63;

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
  // Whether there is no block in it.
  static bool IsEmpty(Piece* piece) { return HeaderAt(piece + 1)->Is(kFree | kFirst | kLast); }
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

  // Of a block that was allocated, or a part of one.
  static BlockHeap* HeapOf(void* memory) {
    return reinterpret_cast<BlockHeap*>(BlockOf(memory)->heap_and_class & ~kClass);
  }
  // Of a block: the bytes that may be used, at least as many as were asked for.
  static std::size_t SizeOf(void* memory) { return BlockOf(memory)->size() - kHeader; }

  // Makes a part, whose header is at `place`, and returns its memory. It is nobody's yet.
  static void* MakePart(void* place, void* whole, unsigned part_class) {
    ::new (place) Block(reinterpret_cast<std::uintptr_t>(whole), part_class);
    return static_cast<unsigned char*>(place) + kHeader;
  }
  static void* WholeOf(void* part) { return reinterpret_cast<void*>(BlockOf(part)->word()); }
  // 0 if it is a block and no part.
  static unsigned ClassOf(void* memory) {
    return static_cast<unsigned>(BlockOf(memory)->heap_and_class & kClass);
  }

  // The block, or part, is nobody's until it is taken up again; it is not free.
  static void SetAside(void* memory) { BlockOf(memory)->heap_and_class &= kClass; }
  void TakeUp(void* memory) {
    BlockOf(memory)->heap_and_class |= reinterpret_cast<std::uintptr_t>(this);
  }

 private:
  struct Links;

  // In the low bits of a block's size.
  static constexpr std::size_t kFree = 1;
  static constexpr std::size_t kBeforeIsFree = 2;
  static constexpr std::size_t kFirst = 4;  // of its piece
  static constexpr std::size_t kLast = 8;
  static constexpr std::size_t kFlags = kFree | kBeforeIsFree | kFirst | kLast;
  static_assert(kFlags < kAlignment, "sizes are multiples of the alignment");

  // In the low bits of a heap's address.
  static constexpr std::uintptr_t kClass = kMostClasses;

  // Lies before the memory that is handed out. A free block has its links behind it, and its
  // size once more in its last bytes, where the block after it finds it.
  class Block {
   public:
    Block(std::size_t word, std::uintptr_t owner) : word_(word), heap_and_class(owner) {}

    // The size and the flags, or what it is a part of.
    std::size_t word() const { return word_.load(std::memory_order_relaxed); }  // P1
    std::size_t size() const { return word() & ~kFlags; }
    std::size_t flags() const { return word() & kFlags; }
    bool Is(std::size_t flags) const { return (word() & flags) == flags; }

    void Set(std::size_t word) {
      word_.store(word, std::memory_order_relaxed);  // P1: by the heap's only user
    }
    void Raise(std::size_t flags) { Set(word() | flags); }
    void Lower(std::size_t flags) { Set(word() & ~flags); }

   private:
    // Its neighbours change the flags while who has the block may ask for its size.
    std::atomic<std::size_t> word_;

   public:
    // No heap if it is free or set aside, so that who frees it once more is likely to be found
    // out. Whoever has the block may look without the heap's other users knowing.
    std::uintptr_t heap_and_class;
  };
  static_assert(sizeof(Block) == kHeader && kHeader % kAlignment == 0,
                "what is handed out is behind it");

  // Four for each power of two.
  static constexpr std::size_t kBins = 256;
  static constexpr std::size_t kBinsInWord = 64;

  static constexpr std::size_t SmallestSize();
  static std::size_t WholeSize(std::size_t size);
  static std::size_t RoomFor(std::size_t size, std::size_t alignment);
  static Block* HeaderAt(void* place) { return std::launder(static_cast<Block*>(place)); }
  static Block* BlockOf(void* memory) {
    return HeaderAt(static_cast<unsigned char*>(memory) - kHeader);
  }
  static std::size_t BinOf(std::size_t size);
  static Links& LinksOf(Block* block);
  static Block* After(Block* block);
  static Piece* PieceOf(Block* block);
  static Block* BlockIn(Piece* piece);
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
