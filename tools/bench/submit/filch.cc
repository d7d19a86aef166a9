#include "filch/pool/arena.h"
#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
#include "filch/pool/idle_mode.h"
#include "filch/pool/pool.h"
#include "tools/bench/submit/submit.h"

namespace bench {
namespace {

class Submitter {
 public:
  explicit Submitter(int) : arena_(filch::CurrentArena()) {}
  template <typename F>
  void Submit(F f) {
    filch::Enqueue(arena_, std::move(f));
  }

 private:
  filch::Arena& arena_;
};

// A pool in the latency mode.
class AlertSubmitter {
 public:
  explicit AlertSubmitter(int threads)
      : pool_(Options(threads)),
        arena_(pool_.AcquireArena({threads, 1, filch::Priority::kNormal})) {}
  ~AlertSubmitter() { pool_.ReleaseArena(arena_); }
  template <typename F>
  void Submit(F f) {
    filch::Enqueue(arena_, std::move(f));
  }

 private:
  static filch::PoolOptions Options(int threads) {
    filch::PoolOptions options;
    options.concurrency = threads;
    options.idle = filch::IdleMode::kLatency;
    return options;
  }

  filch::Pool pool_;
  filch::Arena& arena_;
};

const SubmitRegistrations<Submitter, AlertSubmitter> submit;

}  // namespace
}  // namespace bench
