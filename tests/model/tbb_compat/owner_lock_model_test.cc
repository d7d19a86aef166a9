// Checks the production source of what the threads' caches of a pool of memory share.
#include "tests/model/tbb_compat/owner_lock_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<OwnerAndClaimer>("owner and claimer", 4, 7);
  run.Check<OwnerAndClaimers<2, 2, 1>>("owner and claimer who looks", 3, 6);
  run.Check<OwnerAndClaimers<3, 2>>("owner and two claimers", 2, 4);
  run.Check<OwnersAndOneClaimer<>>("two owners and who claims both", 3, 5);
  run.Check<OwnersAndOneClaimer<SymmetricPoolAtomics>>("the same without membarrier", 2, 4);
  run.Check<OwnerAndClaimers<2, 2, 0, SymmetricPoolAtomics>>("no membarrier", 4, 7);
  run.Check<NumbersAreInherited<2>>("two inherit numbers", kUnbounded, kUnbounded);
  run.Check<NumbersAreInherited<3>>("three inherit numbers", 2, 4);
  run.Check<SharedBlocks<1>>("one shares blocks", kUnbounded, kUnbounded);
  run.Check<SharedBlocks<2>>("two share blocks", 3, 6);
  return run.exit_status();
}
