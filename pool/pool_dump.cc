#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "filch/pool/arena.h"
#include "filch/pool/pool.h"

namespace filch {

std::string Pool::Dump() const {
  const std::lock_guard lock(mutex_);
  const auto now = std::chrono::steady_clock::now();
  const auto count = [](auto number) { return std::to_string(number); };
  std::string text = "pool \"" + name_ + "\": workers " + count(workforce_.count()) + ", limit " +
                     count(worker_limit()) + ", asleep " + count(workforce_.ApproximateSleepers()) +
                     ", refused by the system " +
                     count(refused_.load(std::memory_order_relaxed)) +                   // A1
                     ", wakes " + count(wakes_.load(std::memory_order_relaxed)) + "\n";  // A1
  for (std::size_t i = 0; i < arenas_.size(); ++i) {
    text += "arena " + count(i) + ": " + arenas_[i]->Describe(now);
  }
  return text;
}

}  // namespace filch
