#include <tbb/task_arena.h>

#include "tools/bench/submit/submit.h"

namespace bench {
namespace {

class Submitter {
 public:
  explicit Submitter(int threads) : arena_(threads) {}
  template <typename F>
  void Submit(F f) {
    arena_.enqueue(std::move(f));
  }

 private:
  tbb::task_arena arena_;
};

const SubmitRegistrations<Submitter> submit;

}  // namespace
}  // namespace bench
