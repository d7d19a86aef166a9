// The pool's seams for the Relacy race detector: atomics with an edge that can be
// weakened, a futex, and a lock.
//
// A sleeper that nobody wakes is reported as a deadlock.  Nobody wakes early, and
// nothing has a time-out: a protocol that lives on either would seem sound.
//
// Include it after everything else.  Each scenario owns one FutexBed and puts it
// to use in before().
#ifndef FILCH_TESTS_MODEL_POOL_MODEL_SLEEP_H_
#define FILCH_TESTS_MODEL_POOL_MODEL_SLEEP_H_

#include <cstdint>

#include "filch/pool/parker.h"
#include "tests/model/deque/mutable_atomics.h"

namespace filch {
namespace model {

#define FILCH_PLACE const char *file = __builtin_FILE(), int line = __builtin_LINE()

// PoolAtomics for the checker.
struct PoolModelAtomics : MutableAtomics {
  static void SureLightFence(FILCH_PLACE) { SeqCstFence(file, line); }
};

// The same on a kernel without membarrier: the light fence does nothing, and the
// others are what AsymmetricFence makes of them.
struct SymmetricPoolAtomics : PoolModelAtomics {
  static bool IsAsymmetric() { return false; }
  static void LightFence() {}
};

#undef FILCH_PLACE

// What std::lock_guard wants.
class ModelMutex {
 public:
  void lock() { mutex_.lock($); }
  void unlock() { mutex_.unlock($); }

 private:
  rl::mutex mutex_;
};

// The kernel's side of all futexes of a scenario.
class FutexBed {
 public:
  // Of a larger word the kernel sees a half.
  template <typename Word>
  void WaitOn(const MutableAtomic<Word>& word, std::uint32_t expected) {
    // As the kernel does it: looking at the word and falling asleep are one step.
    mutex_.lock($);
    Sleeper& self = sleepers_[rl::thread_index()];
    if (static_cast<std::uint32_t>(word.load(std::memory_order_relaxed)) == expected) {
      self.word = &word;
      while (self.word != nullptr) self.woken.wait(mutex_, false, $);
    }
    mutex_.unlock($);
  }
  void WakeOne(const void* word) { Wake(word, 1); }
  void WakeAll(const void* word) { Wake(word, kThreads); }

 private:
  static constexpr int kThreads = 4;

  struct ConditionTag;
  struct Condition : rl::condvar<ConditionTag> {
    Condition() { init(false, $); }
    ~Condition() { deinit($); }
  };
  struct Sleeper {
    const void* word = nullptr;  // guarded by mutex_
    Condition woken;
  };

  void Wake(const void* word, int most) {
    mutex_.lock($);
    for (Sleeper& sleeper : sleepers_) {
      if (sleeper.word != word) continue;
      sleeper.word = nullptr;
      sleeper.woken.notify_one($);
      if (--most == 0) break;
    }
    mutex_.unlock($);
  }

  rl::mutex mutex_;
  Sleeper sleepers_[kThreads];
};

// Futex for the checker.
class ModelFutex {
 public:
  static void Use(FutexBed* bed) { bed_ = bed; }
  template <typename Word>
  static void Wait(const MutableAtomic<Word>& word, std::uint32_t expected) {
    bed_->WaitOn(word, expected);
  }
  template <typename Word>
  static void WakeOne(const MutableAtomic<Word>& word) {
    bed_->WakeOne(&word);
  }
  template <typename Word>
  static void WakeAll(const MutableAtomic<Word>& word) {
    bed_->WakeAll(&word);
  }

 private:
  static inline FutexBed* bed_ = nullptr;
};

using ModelParker = pool_internal::BasicParker<PoolModelAtomics, ModelFutex>;

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_MODEL_SLEEP_H_
