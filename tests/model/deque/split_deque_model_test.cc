// Checks SplitDeque's production source in every scenario.
#include "tests/model/deque/split_deque_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<SharedOneAndOne>("shared, one and one", 3, 6);
  run.Check<TakeBack>("take back", 2, 4);
  run.Check<GoneAndBack>("gone and back", 1, 2);
  run.Check<PoliteExposure>("polite exposure", 0, 1);
  run.Check<LastSharedItem>("last shared item", 2, 4);
  run.Check<GrowthAgainstOne>("growth against one", 2, 3);
  run.Check<Growth>("growth", 0, 1);
  run.Check<ForceOneAndOne<MutableAtomics>>("force, one and one", 3, 5);
  run.Check<ForceOneAndOne<SymmetricAtomics>>("force, no membarrier", 3, 5);
  run.Check<TwoForcers<MutableAtomics>>("two forcers", 1, 2);
  run.Check<TwoForcers<SymmetricAtomics>>("forcers, no membarrier", 1, 2);
  run.Check<ForcedExposure<MutableAtomics>>("forced exposure", 0, 1);
  run.Check<ForcedExposure<SymmetricAtomics>>("forced, no membarrier", 0, 1);
  run.Check<BeyondTheEnd<MutableAtomics>>("beyond the ring's end", 1, 3);
  run.Check<BeyondTheEnd<SymmetricAtomics>>("beyond, no membarrier", 1, 3);
  run.Check<OverTheEnd>("over the ring's end", 1, 2);
  run.Check<JoinAgainstForce<MutableAtomics>>("join against force", 1, 3);
  run.Check<JoinAgainstForce<SymmetricAtomics>>("join, no membarrier", 1, 2);
  run.Check<OutOfTheMiddle<MutableAtomics>>("out of the middle", 1, 2);
  run.Check<OutOfTheMiddle<SymmetricAtomics>>("middle, no membarrier", 1, 2);
  run.Check<OutOfTheShared<1>>("out of the shared, first", 1, 3);
  run.Check<OutOfTheShared<2>>("out of the shared", 1, 3);
  run.Check<RefusalOfOne>("refusal of one", 2, 4);
  run.Check<Refusal>("refusal", 0, 1);
  run.Check<Certificate>("certificate", 1, 3);
  run.Check<BehindAnother>("behind another", 1, 2);
  run.Check<CertificateWhileJoining>("certificate while joining", 2, 4);
  run.Check<CertificateWhileGrowing>("certificate while growing", 2, 4);
  run.Check<EmptyWhilePopping>("empty while popping", 3, 6);
  return run.exit_status();
}
