// Simulate: rl::simulate for a suite that is called through virtual functions.
//
// Relacy instantiates its whole machinery for the class of each suite, which makes
// most of what a compiler has to do for a model test.  Here it sees one class per
// number of threads, in any_scenario.cc, however many suites there are.
//
// Include it after everything else, as relacy_atomics.h.
#ifndef FILCH_TESTS_MODEL_ANY_SCENARIO_H_
#define FILCH_TESTS_MODEL_ANY_SCENARIO_H_

#include <new>

#include "tests/model/relacy_atomics.h"

namespace filch {
namespace model {

class AnyScenario {
 public:
  virtual ~AnyScenario() = default;
  virtual void Before() = 0;
  virtual void Thread(unsigned index) = 0;
  virtual void Invariant() = 0;
  virtual void After() = 0;
};

template <typename Suite>
class ScenarioOf final : public AnyScenario {
 public:
  void Before() override { suite_.before(); }
  void Thread(unsigned index) override { suite_.thread(index); }
  void Invariant() override { suite_.invariant(); }
  void After() override { suite_.after(); }

 private:
  Suite suite_;
};

// What a simulation makes at the beginning of each execution, and where.  The place is the
// same each time, for Relacy may order what happens by addresses, and it is not of its
// own memory, which it takes for leaked.
struct ScenarioMaker {
  AnyScenario* (*make)(void* place);
  void* place;
};

inline ScenarioMaker& ActiveScenario() {
  static ScenarioMaker maker{};
  return maker;
}

// Simulates the active scenario with so many threads, at least 2 and at most 4.
bool SimulateActive(unsigned threads, rl::test_params& params);

// As rl::simulate<Suite>(params), of one simulation at a time.
template <typename Suite>
bool Simulate(rl::test_params& params) {
  using Scenario = ScenarioOf<Suite>;
  alignas(Scenario) static unsigned char place[sizeof(Scenario)];
  ActiveScenario() = {[](void* at) -> AnyScenario* { return ::new (at) Scenario; }, place};
  return SimulateActive(Suite::params::thread_count, params);
}

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_ANY_SCENARIO_H_
