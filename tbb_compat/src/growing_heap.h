// GrowingHeap: a BlockHeap that takes its pieces of memory from the program, and gives back those
// that are empty.
//
// What a pool of the rml namespace is made of. The program has two functions, one that gives memory
// and one that takes it back.
//
// One thread at a time, but for what BlockHeap has for any.
#ifndef FILCH_TBB_COMPAT_SRC_GROWING_HEAP_H_
#define FILCH_TBB_COMPAT_SRC_GROWING_HEAP_H_

#include <cstddef>
#include <cstdint>

#include "../include/oneapi/tbb/scalable_allocator.h"
#include "filch/tbb_compat/src/block_heap.h"
#include "filch/tbb_compat/src/block_list.h"

namespace rml {
inline namespace filch_1 {

class GrowingHeap : public filch::tbb_compat_internal::BlockHeap {
 public:
  GrowingHeap(std::intptr_t id, const MemPoolPolicy& policy);

  // As Allocate, and from another piece if there is no room: may call both functions.
  void* AllocateAndGrow(std::size_t size, std::size_t alignment);
  // Frees the blocks, and gives back what is empty and too much to keep: may call the second one.
  void FreeAndShrink(filch::tbb_compat_internal::BlockList blocks);
  // Gives back all pieces, for the heap's end. False if some memory was not taken back.
  bool GiveEverythingBack();

  // Whether it asks for memory once.
  bool is_fixed() const { return policy_.fixedPool; }
  // What it has of the program's memory.
  std::size_t taken() const { return taken_; }

 private:
  bool TakePieceFor(std::size_t size, std::size_t alignment);
  bool TakePiece(std::size_t bytes);
  bool GiveBackEmpty();
  bool GiveBack(Memory memory);

  const std::intptr_t id_;
  MemPoolPolicy policy_;
  std::size_t taken_ = 0;
  bool has_asked_ = false;
  // Of what was given back, what was not taken again since.
  std::size_t given_back_ = 0;
  std::size_t taken_again_ = 0;
  std::size_t most_used_ = 0;
};

}  // namespace filch_1
}  // namespace rml

#endif  // FILCH_TBB_COMPAT_SRC_GROWING_HEAP_H_
