#include "filch/tbb_compat/src/spare_blocks.h"

#include <atomic>
#include <cstddef>
#include <mutex>

#include "filch/tbb_compat/src/block_heap.h"

namespace filch::tbb_compat_internal {
namespace {

std::atomic<std::size_t> numbered_threads{0};

// Not ThreadNumber(), which is an address: these are spread evenly over the places.  As
// current_slot: an access is no call, in a shared library either. 0 at first.
__thread std::size_t number_of_thread __attribute__((tls_model("initial-exec")));

}  // namespace

SpareBlocks::Place& SpareBlocks::PlaceOfThread() {
  if (number_of_thread == 0) {
    number_of_thread = numbered_threads.fetch_add(1, std::memory_order_relaxed) + 1;  // a number
  }
  return places_[number_of_thread % kPlaces];
}

void* SpareBlocks::Take(std::size_t units) {
  Place& place = PlaceOfThread();
  const std::lock_guard lock(place.lock);
  BlockList& list = place.of_units[units];
  if (list.is_empty()) return nullptr;
  place.bytes -= BytesOf(units);
  return list.Pop();
}

BlockList SpareBlocks::Put(void* block, std::size_t units) {
  Place& place = PlaceOfThread();
  BlockList too_many;
  const std::lock_guard lock(place.lock);
  place.of_units[units].Push(block);
  place.bytes += BytesOf(units);
  if (place.bytes > kMostBytes) TakeAllOf(place, too_many);
  return too_many;
}

BlockList SpareBlocks::TakeAll() {
  BlockList all;
  for (Place& place : places_) {
    const std::lock_guard lock(place.lock);
    TakeAllOf(place, all);
  }
  return all;
}

void SpareBlocks::TakeAllOf(Place& place, BlockList& all) {
  if (place.bytes == 0) return;
  for (BlockList& list : place.of_units) {
    while (!list.is_empty()) all.Push(list.Pop());
  }
  place.bytes = 0;
}

void SpareBlocks::Clear() {
  for (Place& place : places_) {
    const std::lock_guard lock(place.lock);
    for (BlockList& list : place.of_units) list = {};
    place.bytes = 0;
  }
}

}  // namespace filch::tbb_compat_internal
