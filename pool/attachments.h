// Attachments: who uses an arena beside those who have acquired it.
//
// Whoever is in an arena may keep it in use when its owner has released it.  While somebody
// does, nobody else acquires it.
//
// Any thread.  Memory ordering: none (A4 of README.md); the pool's mutex orders the release and
// the next acquisition.
#ifndef FILCH_POOL_ATTACHMENTS_H_
#define FILCH_POOL_ATTACHMENTS_H_

#include <atomic>
#include <cstdint>

namespace filch {
namespace pool_internal {

class Attachments {
 public:
  // By a thread in the arena, before its owner releases it; who does so later may share it with
  // the next one.
  void Add() {
    count_.fetch_add(1, std::memory_order_relaxed);  // A4: a count
  }
  void Remove() {
    count_.fetch_sub(1, std::memory_order_relaxed);  // A4: a count
  }

  bool Any() const {
    return count_.load(std::memory_order_relaxed) > 0;  // A4: after the release
  }

 private:
  std::atomic<std::int32_t> count_{0};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_ATTACHMENTS_H_
