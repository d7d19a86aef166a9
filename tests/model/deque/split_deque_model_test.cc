// Checks SplitDeque's production source in every scenario.
#include "tests/model/deque/split_deque_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<PoliteExposure>("polite exposure", 1);
  run.Check<LastSharedItem>("last shared item", 2);
  run.Check<Growth>("growth", 1);
  run.Check<ForcedExposure<MutableAtomics>>("forced exposure", 0);
  run.Check<ForcedExposure<SymmetricAtomics>>("forced, no membarrier", 0);
  run.Check<JoinAgainstForce<MutableAtomics>>("join against force", 1);
  run.Check<JoinAgainstForce<SymmetricAtomics>>("join, no membarrier", 1);
  run.Check<Refusal>("refusal", 1);
  run.Check<Certificate>("certificate", 1);
  run.Check<CertificateWhileJoining>("certificate while joining", 2);
  return run.exit_status();
}
