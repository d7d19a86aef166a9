// Checks the production source of sleeping and waking, put together.
#include "tests/model/pool/pool_scenarios.h"
//
#include "tests/model/deque/model_runner.h"

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  ModelRun run(argc, argv);
  run.Check<SpawnAndBlock<1, 1>>("spawn and block", 0, 1);
  run.Check<SpawnAndBlock<2, 1>>("spawn two", 0, 1);
  run.Check<SpawnAndBlock<2, 2>>("spawn two, two workers", 0, 0);
  run.Check<EnqueueAndBlock<2, 1>>("enqueue", 0, 1);
  run.Check<EnqueueAndBlock<2, 0>>("enqueue, limit 0", 0, 1);
  run.Check<EnqueueIntoFull>("enqueue into full", 0, 1);
  run.Check<PostAndBlock>("mail", 0, 1);
  run.Check<Joint<1>>("joint", 0, 1);
  run.Check<Joint<2>>("joint, two workers", 0, 0);
  run.Check<WithHooks<Joint<1>>>("joint, with hooks", 0, 1);
  run.Check<JointWait>("joint, with a wait", 0, 1);
  run.Check<WaiterIsCalled<1>>("waiter is called", 0, 1);
  run.Check<WaiterIsCalled<2>>("waiter is called twice", 0, 1);
  run.Check<CallIsForwarded>("call is forwarded", kRandomOnly, 0);
  run.Check<QueueCallIsForwarded>("queue call is forwarded", kRandomOnly, 0);
  run.Check<CalledInVain<1, true>>("called in vain", kRandomOnly, 0);
  run.Check<CalledInVain<1, false>>("called in vain, stays", kRandomOnly, 0);
  run.Check<CalledInVain<2, true>>("called for two", kRandomOnly, kRandomOnly);
  run.Check<CalledInVain<2, false>>("called for two, stays", kRandomOnly, kRandomOnly);
  run.Check<LeftBehind>("left behind", 0, 1);
  run.Check<LeftBehindAgain>("left behind again", 0, 1);
  run.Check<LeftForWait<0>>("left for a wait", 0, 1);
  run.Check<LeftForWait<1>>("left, limit is lowered", kRandomOnly, 0);
  run.Check<GivenBack<1, 0, true>>("given back", 0, 1);
  run.Check<GivenBack<1, 0, false>>("given back, not callable", 0, 1);
  run.Check<GivenBack<2, 0, true>>("given back by two", kRandomOnly, 0);
  run.Check<GivenBack<2, 1, false>>("given back by one of two", kRandomOnly, 0);
  run.Check<AbstainerWaits<1>>("abstainer waits", 0, 1);
  run.Check<AbstainerWaits<2>>("abstainer waits for two", 0, 0);
  run.Check<SlotBecomesFree>("slot becomes free", 0, 0);
  run.Check<SlotIsTakenAgain>("slot is taken again", 0, 1);
  run.Check<NobodyIsLeft<false>>("nobody is left, all away", 0, 0);
  run.Check<NobodyIsLeft<true>>("nobody is left, one gone", 0, 0);
  run.Check<OneComesBack<true>>("one comes back, leaves", 0, 1);
  run.Check<OneComesBack<false>>("one comes back, goes", 1, 1);
  run.Check<SeekerGetsSlot>("seeker gets slot", 2, 3);
  run.Check<LeftForHelper>("left for a helper", 0, 1);
  run.Check<SlotChangesHands>("slot changes hands", 1, 2);
  run.Check<LimitIsLowered>("limit is lowered", 0, 0);
  run.Check<LimitIsRaised>("limit is raised", kRandomOnly, 0);
  run.Check<LimitGoesDownAndUp>("limit goes down and up", kRandomOnly, 0);
  run.Check<Retirement<false>>("retirement, enqueue", kRandomOnly, 0);
  run.Check<Retirement<true>>("retirement, spawn", kRandomOnly, 0);
  run.Check<RetirementOfOneThatIsCalled>("retirement of one called", kRandomOnly, 0);
  run.Check<RetirementOfOneThatMustNotCome>("retirement of one above the limit", kRandomOnly, 0);
  run.Check<RetirementAndLeft>("retirement, left behind", kRandomOnly, 0);
  run.Check<TwoArenas>("two arenas", kRandomOnly, 0);
  run.Check<WorkerIsElsewhere>("worker is elsewhere", kRandomOnly, 0);
  run.Check<LeavesForHigher>("leaves for higher", kRandomOnly, 0);
  run.Check<TwoCalls>("two calls", kRandomOnly, 0);
  return run.exit_status();
}
