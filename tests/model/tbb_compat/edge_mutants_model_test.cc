// Weakens every named edge of the locks that queue, of lists that grow, of pipelines, of what
// the threads' caches of memory share and of the users of contexts in turn, and asks the models.
//
// Every statement with an edge tag has a row below: which scenarios catch it when its order
// is relaxed, or why none does. A row that is wrong either way, and a statement without a
// row, fail the test.
#include <string>
#include <vector>

#include "tests/model/tbb_compat/context_users_scenarios.h"
#include "tests/model/tbb_compat/group_binding_scenarios.h"
#include "tests/model/tbb_compat/growing_list_scenarios.h"
#include "tests/model/tbb_compat/owner_lock_scenarios.h"
#include "tests/model/tbb_compat/pipeline_scenarios.h"
#include "tests/model/tbb_compat/queued_rw_lock_scenarios.h"
//
#include "tests/model/deque/edge_mutants.h"

namespace filch {
namespace model {
namespace {

constexpr char kRelaxed[] = "relaxed already";
constexpr char kExecuted[] = "the checker orders the stores to one word as it executes them";

std::vector<EdgeRow> LockRows() {
  const char* const queue = "_queued_lock.h";
  const char* const lock = "_queued_rw_lock.h";
  const ScenarioCheck in_turn = Explore<OwnersInTurn<2, false>>;
  const ScenarioCheck one_tries = Explore<OwnersInTurn<3, true>>;
  return {
      {queue, "M3", "nobody knows it", {}, kRelaxed},
      {queue, "M3", "what was done before", {in_turn}},
      {queue, "M3", "to who waits", {in_turn}},
      {queue, "M3", "looks again", {}, kRelaxed},
      {queue, "M3", "the last owner, both ways", {in_turn}},
      {queue, "M3", "a hint", {}, kRelaxed},
      {queue, "M3", "as Join", {one_tries}},
      {queue, "M3", "to Join", {in_turn}},
      {lock, "M4", "the last writer", {Explore<WriterAmongTwo>, Explore<SomeOnlyTry>}},
      {lock, "M4", "a hint", {}, kRelaxed},
      {lock, "M4", "what it did, to the next", {Explore<WritersTakeTurns>}},
      {lock, "M4", "what it wrote, to readers", {Explore<WriterBecomesReader<false>>}},
      {lock, "M4", "the last owners", {Explore<WritersTakeTurns>}},
      {lock, "M4", "to who upgrades", {Explore<ReaderBecomesWriter<Beside::kAnother>>}},
      {lock, "M4", "no order", {}, kRelaxed},
      {lock, "M4", "what readers saw is over", {Explore<ReaderBecomesWriter<Beside::kReader>>}},
  };
}

std::vector<EdgeRow> ListRows() {
  const char* const list = "_growing_list.h";
  const ScenarioCheck grows = Explore<LookWhileItGrows<2, 3>>;
  return {
      {list, "V1", "the pointers", {grows}},
      {list, "V1", "V1: what was copied", {grows}},
      {list, "V1", "one thread adds", {}, kRelaxed},
      {list, "V1", "publishes what was copied", {grows}},
      {list, "V1", "publishes the pointer", {grows}},
      {list, "V1", "one thread alone", {}, kRelaxed},
  };
}

std::vector<EdgeRow> PipelineRows() {
  const char* const turns = "pipeline_turns.h";
  const char* const tokens = "pipeline_tokens.h";
  const char* const baton = "pipeline_baton.h";
  const ScenarioCheck in_order = Explore<SerialPipeline<4, 2, true>>;
  const ScenarioCheck as_they_come = Explore<SerialPipeline<4, 2, false>>;
  return {
      {turns, "G1", "nobody knows it yet", {}, kRelaxed},
      {turns, "G1", "enters", {in_order}},
      {turns, "G1", "nobody looks before", {}, kRelaxed},
      {turns, "G1", "before the next turn", {}, kRelaxed},
      {turns, "G1", "leaves", {in_order}},
      {turns, "G1", "the last one", {}, kRelaxed},
      {turns, "G2", "after the ends", {as_they_come}, kExecuted},
      {tokens, "T1", "orders nothing", {}, kRelaxed},
      {tokens, "T1", "as above", {}, kRelaxed},
      {tokens, "T1", "who begins one meanwhile", {}, kRelaxed},
      {tokens, "T1", "sooner or later", {}, kRelaxed},
      {baton, "T2", "orders nothing", {}, kRelaxed},
      {baton, "T2", "a guess", {}, kRelaxed},
      {baton, "T2", "to itself", {in_order}},
      {baton, "T2", "a better guess", {}, kRelaxed},
  };
}

std::vector<EdgeRow> MemoryRows() {
  const char* const lock = "owner_lock.h";
  const char* const list = "block_list.h";
  const char* const indexes = "thread_indexes.h";
  const ScenarioCheck one_in = Explore<OwnerAndClaimer>;
  return {
      {lock, "L1", "to lock", {one_in}},
      {lock, "L2", "then who claims it", {one_in}},
      {lock, "L2", "after leaving", {}, kRelaxed},
      {lock, "L2", "before the heavy fence", {}, kRelaxed},
      {lock, "L2", "then whether the owner is inside", {one_in}},
      {lock, "L1", "Leave", {one_in}},
      {lock, "L1", "to Enter", {one_in}},
      {lock, "L2", "it stays", {}, kRelaxed},
      {lock, "L2", "before the light fence", {}, kRelaxed},
      {lock, "L2", "then whether it is claimed", {one_in}},
      {lock, "L1 L2", "after the fence", {one_in}},
      {lock, "L1", "to who claims it", {one_in}, "the full fence before it publishes as much"},
      {list, "P2", "a hint", {}, kRelaxed},
      {list, "P2", "the exchange tells", {}, kRelaxed},
      {list, "P2", "to TakeAll", {Explore<SharedBlocks<1>>}},
      {list, "P2", "Push", {Explore<SharedBlocks<1>>}},
      {indexes, "N1", "a hint", {}, kRelaxed},
      {indexes, "N1", "Return", {Explore<NumbersAreInherited<2>>}},
      {indexes, "N1", "to Take", {Explore<NumbersAreInherited<2>>}},
  };
}

std::vector<EdgeRow> ContextRows() {
  const char* const users = "_context_users.h";
  const ScenarioCheck in_tasks = Explore<UsersInTasks<2, 1>>;
  const ScenarioCheck outside = Explore<UsersOutside<1, 2>>;
  const ScenarioCheck both_outside = Explore<UsersOutside<2, 1>>;
  return {
      {users, "U1", "looked at again", {}, kRelaxed},
      {users, "U1", "alone, after the last one", {in_tasks}},
      {users, "U1", "U1: first", {}, kRelaxed},
      {users, "U1", "looks again", {}, kRelaxed},
      {users, "U1", "to the next", {in_tasks}},
      {users, "U1", "it stays unbound", {both_outside}},
      {users, "U1", "after the last user", {outside}},
  };
}

std::vector<EdgeRow> GroupRows() {
  const char* const binding = "_group_binding.h";
  const ScenarioCheck late = Explore<WaitIsLate<GroupContext::kOwn, true>>;
  const ScenarioCheck wait = Explore<RunnersWait<1, GroupContext::kOwn>>;
  const ScenarioCheck outside = Explore<RunnerOutside<GroupContext::kOwn>>;
  return {
      {binding, "B1", "a hint", {}, kRelaxed},
      {binding, "B1", "nobody else is there", {}, kRelaxed},
      {binding, "B1", "twice does no harm", {}, kRelaxed},
      {binding, "B1", "alone, and where that is", {outside}},
      {binding, "B1", "after the last end", {wait}},
      {binding, "B1", "what is counted", {late}},
      {binding, "B1", "looks again", {late, wait}},
      {binding, "B1", "looked at again", {}, kRelaxed},
      {binding, "B1", "only one does", {late}},
      {binding, "B1", "where it is, or was", {wait}},
  };
}

std::vector<EdgeRow> SharedContextRows() {
  const char* const shared = "shared_contexts.h";
  return {
      {shared, "U1", "to the next", {Explore<UsersInTasks<2, 2>>}},
      {shared, "U1", "a guess", {}, kRelaxed},
      {shared, "U1", "after the last one", {Explore<UserStays<true>>}},
  };
}

}  // namespace
}  // namespace model
}  // namespace filch

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  const std::string folder = argc > 1 ? argv[1] : "tbb_compat";
  const std::string headers = folder + "/include/oneapi/tbb/detail";
  const bool locks = CheckEdgeMutants(headers, LockRows(), 1000);
  const bool lists = CheckEdgeMutants(headers, ListRows(), 1000);
  const bool pipelines = CheckEdgeMutants(folder + "/src", PipelineRows(), 1000);
  const bool memory = CheckEdgeMutants(folder + "/src", MemoryRows(), 1000);
  const bool contexts = CheckEdgeMutants(headers, ContextRows(), 1000);
  const bool groups = CheckEdgeMutants(headers, GroupRows(), 1000);
  const bool shared = CheckEdgeMutants(folder + "/src", SharedContextRows(), 1000);
  return locks && lists && pipelines && memory && contexts && groups && shared ? 0 : 1;
}
