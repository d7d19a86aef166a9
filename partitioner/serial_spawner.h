// SerialSpawner: a Spawner (see split_loop.h) without threads.
//
// Use it to run or test split policies in one thread: it keeps spawned work in a
// list and runs it, newest first, when told.  It can pretend to be several slots
// and to have starving ones.
//
// One thread only.  If work throws, RunAll passes the exception on and keeps the
// rest of the list.
//
//   SerialSpawner spawner(/*slots=*/4);
//   RunSplit(range, body, StaticSplit(spawner.slots()), spawner);
//   spawner.RunAll();
#ifndef FILCH_PARTITIONER_SERIAL_SPAWNER_H_
#define FILCH_PARTITIONER_SERIAL_SPAWNER_H_

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "filch/partitioner/affinity_memory.h"
#include "filch/partitioner/split_policy.h"

namespace filch {

class SerialSpawner {
 public:
  // Pretends to have `slots` slots; the calling thread acts for slot 0 until
  // RunAll runs work at others.
  explicit SerialSpawner(std::uint32_t slots = 1) : slots_(slots == 0 ? 1 : slots) {}

  std::uint32_t slots() const { return slots_; }
  bool wanted() const { return wanted_ ? wanted_() : false; }

  // Called for each wanted(): whether somebody shall be said to starve.
  void PretendDemand(std::function<bool()> wanted) { wanted_ = std::move(wanted); }

  // Called for each piece that wants no slot in particular: where it runs.
  void PretendThieves(std::function<std::uint32_t()> slot) { thief_ = std::move(slot); }

  template <typename Work>
  void Spawn(std::uint32_t slot, Work work) {
    if (slot == kAnySlot) slot = thief_ ? thief_() : here_;
    waiting_.push_back({Place{slot % slots_, slot % slots_ != here_}, std::move(work)});
    ++spawned_;
  }

  // Runs everything spawned, and what that spawns.
  void RunAll() {
    const Homecoming homecoming{this};
    while (!waiting_.empty()) {
      Waiting next = std::move(waiting_.back());
      waiting_.pop_back();
      here_ = next.place.slot;
      next.work(*this, next.place);
    }
  }

  // How often Spawn was called.
  std::uint64_t spawned() const { return spawned_; }
  // The slot that is acting now.
  std::uint32_t here() const { return here_; }

 private:
  struct Waiting {
    Place place;
    std::function<void(SerialSpawner&, Place)> work;
  };
  struct Homecoming {
    SerialSpawner* spawner;
    ~Homecoming() { spawner->here_ = 0; }
  };

  std::uint32_t slots_;
  std::uint32_t here_ = 0;
  std::uint64_t spawned_ = 0;
  std::vector<Waiting> waiting_;
  std::function<bool()> wanted_;
  std::function<std::uint32_t()> thief_;
};

}  // namespace filch

#endif  // FILCH_PARTITIONER_SERIAL_SPAWNER_H_
