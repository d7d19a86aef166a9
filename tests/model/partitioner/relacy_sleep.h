// RelacySleep: sleeping on a word, for the Relacy race detector, which reports a
// sleeper that nobody wakes as a deadlock.
//
// Nobody wakes early unless the Bed says so: a protocol that lives on early
// wake-ups would seem sound.
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
  enum class Wakes { kOnTimeOnly, kEarlyToo };

 private:
  struct ConditionTag;
  struct Condition : rl::condvar<ConditionTag> {
    explicit Condition(Wakes wakes) { init(wakes == Wakes::kEarlyToo, $); }
    ~Condition() { deinit($); }
  };

 public:
  struct Bed {
    explicit Bed(Wakes wakes = Wakes::kOnTimeOnly) : woken(wakes) {}
    rl::mutex mutex;
    Condition woken;
  };

  static void Use(Bed* bed) { bed_ = bed; }

  // As the kernel does it: looking at the word and falling asleep are one step.
  static void Wait(const Atomic<std::uint32_t>& word, std::uint32_t expected) {
    bed_->mutex.lock($);
    if (word.load(std::memory_order_relaxed) == expected) bed_->woken.wait(bed_->mutex, false, $);
    bed_->mutex.unlock($);
  }
  static void WakeOne(const Atomic<std::uint32_t>&) { Wake(&Condition::notify_one); }
  static void WakeAll(const Atomic<std::uint32_t>&) { Wake(&Condition::notify_all); }

 private:
  static void Wake(void (Condition::*notify)(rl::debug_info_param)) {
    bed_->mutex.lock($);
    (bed_->woken.*notify)($);
    bed_->mutex.unlock($);
  }

  static inline Bed* bed_ = nullptr;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_PARTITIONER_RELACY_SLEEP_H_
