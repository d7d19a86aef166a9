#include "filch/pool/current_arena.h"
#include "filch/pool/enqueue.h"
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

const SubmitRegistrations<Submitter> submit;

}  // namespace
}  // namespace bench
