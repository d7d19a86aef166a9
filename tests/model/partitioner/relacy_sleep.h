// RelacySleep: sleeping on a word, for the Relacy race detector, which reports a
// sleeper that nobody wakes as a deadlock.
//
// Include it after everything else.  Each test suite owns one Bed and puts it to
// use in before().
#ifndef FILCH_TESTS_MODEL_PARTITIONER_RELACY_SLEEP_H_
#define FILCH_TESTS_MODEL_PARTITIONER_RELACY_SLEEP_H_

#include <cstdint>

#include "tests/model/relacy_atomics.h"

namespace filch {
namespace model {

class RelacySleep {
 public:
  struct Bed {
    rl::mutex mutex;
    rl::condition_variable woken;
  };

  static void Use(Bed* bed) { bed_ = bed; }

  // As the kernel does it: looking at the word and falling asleep are one step.
  static void Wait(const Atomic<std::uint32_t>& word, std::uint32_t expected) {
    bed_->mutex.lock($);
    if (word.load(std::memory_order_relaxed) == expected) bed_->woken.wait(bed_->mutex, $);
    bed_->mutex.unlock($);
  }
  static void WakeOne(const Atomic<std::uint32_t>&) { Wake(&rl::condition_variable::notify_one); }
  static void WakeAll(const Atomic<std::uint32_t>&) { Wake(&rl::condition_variable::notify_all); }

 private:
  static void Wake(void (rl::condition_variable::*notify)(rl::debug_info_param)) {
    bed_->mutex.lock($);
    (bed_->woken.*notify)($);
    bed_->mutex.unlock($);
  }

  static inline Bed* bed_ = nullptr;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_PARTITIONER_RELACY_SLEEP_H_
