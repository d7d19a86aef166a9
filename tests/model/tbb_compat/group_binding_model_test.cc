// Checks the production source of who binds a group's context, and who ends that.
#include "tests/model/tbb_compat/group_binding_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<RunnersWait<1, GroupContext::kOwn>>("two run and wait", 1, 2);
  run.Check<RunnersWait<1, GroupContext::kOfCaller>>("in a caller's context", 1, 2);
  run.Check<WaitIsLate<GroupContext::kOwn, true>>("a wait is late", 2, 3);
  run.Check<WaitIsLate<GroupContext::kOwn, false>>("the same elsewhere", 2, 3);
  run.Check<WaitIsLate<GroupContext::kOfCaller, true>>("in a caller's context", 1, 2);
  run.Check<RunnerOutside<GroupContext::kOwn>>("one is outside", 1, 2);
  run.Check<RunnerOutside<GroupContext::kOfCaller>>("in a caller's context", 1, 2);
  run.Check<RunnerAtHome>("one is at home", 1, 2);
  run.Check<RunnersWait<2, GroupContext::kOwn>>("two run twice", kRandomOnly, 1);
  return run.exit_status();
}
