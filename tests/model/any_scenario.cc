#include "tests/model/any_scenario.h"

#include <cstdlib>

#include "tests/model/relacy_atomics.h"

namespace filch {
namespace model {
namespace {

template <rl::thread_id_t kThreads>
struct AnySuite : rl::test_suite<AnySuite<kThreads>, kThreads> {
  AnySuite() : scenario(ActiveScenario().make(ActiveScenario().place)) {}
  ~AnySuite() { scenario->~AnyScenario(); }
  void before() { scenario->Before(); }
  void thread(unsigned index) { scenario->Thread(index); }
  void invariant() { scenario->Invariant(); }
  void after() { scenario->After(); }

  AnyScenario* const scenario;
};

}  // namespace

bool SimulateActive(unsigned threads, rl::test_params& params) {
  switch (threads) {
    case 2:
      return rl::simulate<AnySuite<2>>(params);
    case 3:
      return rl::simulate<AnySuite<3>>(params);
    case 4:
      return rl::simulate<AnySuite<4>>(params);
    default:
      std::abort();
  }
}

}  // namespace model
}  // namespace filch
