#include "tools/bench/submit/submit.h"

namespace bench {
namespace {

// Runs it at once: what submitting itself costs the measurement.
struct Submitter {
  explicit Submitter(int) {}
  template <typename F>
  void Submit(F f) {
    f();
  }
};

const SubmitRegistrations<Submitter> submit;

}  // namespace
}  // namespace bench
