// Checks the production source of who binds a context that has several users, and who unbinds it.
#include "tests/model/tbb_compat/context_users_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<UsersInTasks<2, 1>>("two in tasks", 2, 3);
  run.Check<UserStays<true>>("one stays", 1, 2);
  run.Check<UserStays<false>>("beside one outside", 2, 4);
  run.Check<UsersOutside<1, 2>>("one outside", 2, 3);
  run.Check<UsersOutside<2, 1>>("two outside", 1, 2);
  run.Check<NotesChange>("other notes change", 1, 2);
  run.Check<UsersInTasks<2, 2>>("two in tasks, twice", 1, 2);
  run.Check<UsersInTasks<3, 1>>("three in tasks", kRandomOnly, 1);
  return run.exit_status();
}
