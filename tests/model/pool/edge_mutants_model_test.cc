// Weakens every named edge of sleeping and waking in turn, and asks the models.
//
// Every statement with an edge tag has a row below: which scenarios catch it when
// its order is relaxed or its fence left out, or why none does.  Such a reason is an
// argument; the test only knows that the scenarios of the row do not catch it.  A
// row that is wrong either way, and a statement without a row, fail the test.
#include <vector>

#include "tests/model/pool/context_scenarios.h"
#include "tests/model/pool/group_scenarios.h"
#include "tests/model/pool/handover_scenarios.h"
#include "tests/model/pool/idle_scenarios.h"
#include "tests/model/pool/join_scenarios.h"
#include "tests/model/pool/lock_scenarios.h"
#include "tests/model/pool/looker_scenarios.h"
#include "tests/model/pool/loop_scenarios.h"
#include "tests/model/pool/part_scenarios.h"
#include "tests/model/pool/pool_scenarios.h"
#include "tests/model/pool/rw_lock_scenarios.h"
#include "tests/model/pool/unserved_scenarios.h"
//
#include "tests/model/deque/edge_mutants.h"

namespace filch {
namespace model {
namespace {

// Why some edges are not caught.  SLEEP.md has the proofs.
constexpr char kRelaxed[] = "relaxed already: the tag names what orders it";
constexpr char kAtomicity[] = "that it is one read-modify-write matters, not its order";
constexpr char kFencesInOrder[] =
    "the checker passes fences in the order in which it runs them, and so knows it already";
constexpr char kIsolation[] = "isolation is not in the models; the argument is that of I1";
constexpr char kToken[] = "the token of Unpark orders it as well (K1)";
constexpr char kFence[] = "the fence next to it orders it as well";
constexpr char kNote[] = "it decides between two answers that are both right: a Scan and a Note";
constexpr char kExecuted[] = "the checker orders the stores to one word as it executes them";
constexpr char kInOrder[] = "the checker executes the loads of a thread in their order";
constexpr char kReport[] = "no scenario asks for a report";
constexpr char kHint[] = "a hint: S2 decides";
constexpr char kPair[] =
    "it and one of P1, P4 and P6 make up for each other; the *_unordered_mutant_tests weaken both";
constexpr char kNeighbours[] =
    "sequentially consistent operations on both sides of it order it in these programs";

std::vector<EdgeRow> Rows() {
  const char* const parker = "parker.h";
  const char* const sleepers = "sleeper_set.h";
  const char* const need_wake = "need_wake.h";
  const char* const wanted = "wanted.h";
  const char* const idle = "idle_protocol.h";
  const char* const scan = "slot_scan.h";
  const char* const absence = "absence.h";
  const char* const extra = "extra_slot.h";
  const char* const slots = "arena_slots.h";
  const char* const abstainers = "abstainers.h";
  const char* const returners = "returners.h";
  const char* const looker = "looker.h";
  const char* const queue = "task_queue.h";
  const char* const shared = "shared_queue.h";
  const char* const vacancy = "vacancy.h";
  const char* const workforce = "workforce.h";
  const char* const unserved = "unserved.h";
  const char* const signals = "group_signals.h";
  const char* const spawns = "home_spawns.h";
  const char* const count = "group_count.h";
  const char* const noted = "noted_arenas.h";
  const char* const latch = "join_latch.h";
  const char* const credit = "credit_latch.h";
  const char* const predecessors = "predecessor_count.h";
  const char* const loop_parts = "loop_parts.h";
  const char* const delegation = "delegation.h";
  const char* const serial = "serial_order.h";
  const char* const watch = "queue_watch.h";
  const char* const table = "thread_table.h";
  const char* const ring = "trace_ring.h";
  const char* const lock = "sleeping_lock.h";
  const char* const rw_lock = "sleeping_rw_lock.h";
  const char* const context = "context_word.h";
  const char* const tree = "context_tree.h";

  using Asleep = ModelLockWaiting;
  const ScenarioCheck owners = Explore<OwnersCount<2, 2, Asleep>>;
  const ScenarioCheck owners_exchange = Explore<OwnersCount<2, 2, Asleep, true>>;
  const ScenarioCheck two_writers = Explore<ReadersAndWriters<Ww, Asleep>>;
  const ScenarioCheck writer_reader = Explore<ReadersAndWriters<Wr, Asleep>>;
  const ScenarioCheck tries = Explore<ReadersAndWriters<Wts, Asleep>>;
  const ScenarioCheck downgrade = Explore<ReadersAndWriters<Dr, Asleep>>;
  const ScenarioCheck upgrade = Explore<ReadersAndWriters<Ur, Asleep>>;
  const ScenarioCheck upgrades = Explore<ReadersAndWriters<Uur, Asleep>>;
  const ScenarioCheck token = Explore<TokenPublishes>;
  const ScenarioCheck called = Explore<CallPublishes>;
  const ScenarioCheck order = Explore<QueueKeepsOrder>;
  const ScenarioCheck reused = Explore<QueueIsReused>;
  const ScenarioCheck waker = Explore<SleeperAgainstWaker>;
  const ScenarioCheck look = Explore<SleeperAgainstLook>;
  const ScenarioCheck claims = Explore<OneClaims>;
  const ScenarioCheck push = Explore<PushAgainstScan<PoolModelAtomics>>;
  const ScenarioCheck symmetric_push = Explore<PushAgainstScan<SymmetricPoolAtomics>>;
  const ScenarioCheck next_scan = Explore<PushAgainstScan<PoolModelAtomics, true>>;
  const ScenarioCheck answers = Explore<OneAnswers>;
  const ScenarioCheck calls = Explore<CallsMerge>;
  const ScenarioCheck note = Explore<NoteIsFound>;
  const ScenarioCheck mail = Explore<IdleAgainstMail>;
  const ScenarioCheck enqueued = Explore<IdleAgainstQueue>;
  const ScenarioCheck arrives = Explore<ArrivesWhileOneLeaves>;
  const ScenarioCheck left = Explore<LeftWhileScanned>;
  const ScenarioCheck shutdown = Explore<ShutdownAgainstSleep>;
  const ScenarioCheck mailed = Explore<SleeperAgainstMail>;
  const ScenarioCheck joint = Explore<Joint<1>>;
  const ScenarioCheck abstainer = Explore<AbstainerWaits<1>>;
  const ScenarioCheck full = Explore<SlotBecomesFree>;
  const ScenarioCheck slot_left = Explore<SlotIsLeft>;
  const ScenarioCheck seeker = Explore<SeekerGetsSlot>;
  const ScenarioCheck changes_hands = Explore<SlotChangesHands>;
  const ScenarioCheck away = Explore<LastOneAway>;
  const ScenarioCheck away_seeker = Explore<SeekerAgainstAway>;
  const ScenarioCheck returner = Explore<ReturnerAgainstEnqueue>;
  const ScenarioCheck limit = Explore<LimitIsLowered>;
  const ScenarioCheck left_for_wait = Explore<LeftForWait<0>>;
  const ScenarioCheck left_and_lowered = Explore<LeftForWait<1>>;
  const ScenarioCheck limit_ends = Explore<LimitEndsInSight>;
  const ScenarioCheck elsewhere = Explore<WorkerIsElsewhere>;
  const ScenarioCheck down_and_up = Explore<LimitGoesDownAndUp>;
  const ScenarioCheck raise = Explore<RaiseAgainstSuperfluous>;
  const ScenarioCheck retirement = Explore<Retirement<false>>;
  const ScenarioCheck home = Explore<HomeWaits>;
  const ScenarioCheck remote = Explore<RemoteWaits>;
  const ScenarioCheck remote_both = Explore<RemoteWaitsForBoth>;
  const ScenarioCheck place = Explore<SpawnedElsewhere<false>>;
  const ScenarioCheck from_home = Explore<SpawnedElsewhere<true>>;
  const ScenarioCheck further = Explore<FurtherPlaces>;
  const ScenarioCheck new_arena = Explore<NewArenaIsNoted>;
  const ScenarioCheck join = Explore<JoinWaits<false>>;
  const ScenarioCheck branch = Explore<BranchesEnd<1>>;
  const ScenarioCheck last = Explore<LastGoesOn<2>>;
  const ScenarioCheck taken_back = Explore<OneIsTakenBack>;
  const ScenarioCheck by_hand = Explore<CountedByHand>;
  const ScenarioCheck parent = Explore<ParentWaits<1>>;
  const ScenarioCheck sibling = Explore<SiblingIsNext>;
  const ScenarioCheck runs_one = Explore<ParentRunsOne>;
  const ScenarioCheck two_meet = Explore<TwoMeetAfterOne>;
  const ScenarioCheck three_meet = Explore<ThreeMeet>;
  const ScenarioCheck delegated = Explore<DelegatedToOne>;
  const ScenarioCheck serial_turns = Explore<SerialTurns<2>>;
  const ScenarioCheck watched = Explore<WatchGoesOn<1>>;
  const ScenarioCheck grows = Explore<TableGrows<2>>;
  const ScenarioCheck heir = Explore<HeirFinds>;
  const ScenarioCheck traced = Explore<TraceIsRead<3, 1>>;
  const ScenarioCheck throws = Explore<GroupThrows>;
  const ScenarioCheck above = Explore<NoteAgainstLook>;
  const ScenarioCheck takes_one = Explore<LookerTakesOne<LastTask::kQueued>>;
  const ScenarioCheck takes_isolated = Explore<LookerTakesOne<LastTask::kIsolated>>;
  const ScenarioCheck steals_one = Explore<LookerTakesOne<LastTask::kInDeque>>;
  const ScenarioCheck comes_between = Explore<OneComesBetween>;
  const ScenarioCheck leaves = Explore<OneLeaves>;
  const ScenarioCheck guest_ends = Explore<GuestsEnd<1>>;
  const ScenarioCheck guest_comes = Explore<GuestComes<false>>;

  return {
      {parker, "K1", "state, kEmpty", {token}},
      {parker, "K1", "to Park", {token}},
      {parker, "K1", "no token yet", {}, kRelaxed},
      {parker, "K1", "the token of a call", {called}},
      {parker, "K1", "only a report", {}, kRelaxed},
      {parker, "K1", "Park takes it", {}, kRelaxed},

      {sleepers, "S1", "fetch_or", {waker}},
      {sleepers, "S1", "bits = words_", {waker}},
      {sleepers, "S1", "return false", {look}},
      {sleepers, "S1", "all =", {raise}},
      {sleepers, "S1", "a report", {}, kRelaxed},
      {sleepers, "S2", "fetch_and", {claims, waker}, kAtomicity},
      {sleepers, "S2", "compare_exchange", {claims, waker}, kAtomicity},

      {need_wake, "I1", "LightFence", {push}},
      {need_wake, "I1", "HeavyFence", {push}},
      {need_wake, "I1", "word_.load", {push}, kRelaxed},
      {need_wake, "I1", "SeqCstFence", {arrives, next_scan}},
      {need_wake, "I1", "a hint", {}, kRelaxed},
      {need_wake, "I1", "sets it again", {}, kRelaxed},
      {need_wake, "I3", "fetch_add", {}, kIsolation},
      {need_wake, "I3", "HeavyFence", {}, kIsolation},
      {need_wake, "I3", "fetch_sub", {}, kRelaxed},
      {need_wake, "I3", "SeqCstFence", {}, kIsolation},
      {need_wake, "F1", "fetch_or", {}, kRelaxed},
      {need_wake, "W1", "SeqCstFence", {symmetric_push, next_scan}},
      {need_wake, "W1", "fetch_and", {push, answers}, kAtomicity},
      {need_wake, "W1", "before the scan", {push, answers}, kFence},

      {wanted, "W3", "after announcing", {note}},
      {wanted, "W3", "== kNote;", {above}},
      {wanted, "W3", ">= kComing;", {above}, kNeighbours},
      {wanted, "W3", "a report", {}, kRelaxed},
      {wanted, "W3", "a hint", {}, kRelaxed},
      {wanted, "W3", "the exchange tells", {}, kRelaxed},
      {wanted, "W3", "then who could, or look", {calls, above}},
      {wanted, "W3", "(note, kNobody", {elsewhere}, kAtomicity},

      {idle, "W1", "they will find", {mail}},
      {idle, "W1", "they find the rest", {full}, kFence},
      {idle, "W1", "a report", {}, kRelaxed},
      {idle, "W2", "a report", {}, kRelaxed},
      {idle, "W1 W2", "searchers_.fetch_sub", {mail, enqueued}},
      {idle, "W1 W2", "searchers_.fetch_add", {mail, enqueued}, kNeighbours},
      {idle, "W2", "they will find", {enqueued}},
      {idle, "W6", "before the call", {left}},
      {idle, "W6", "then scan", {left}},
      {idle, "W6", "the exchange tells", {}, kRelaxed},
      {idle, "W6", "none is left", {left}, kNeighbours},
      {idle, "W6", "before Recruit", {left}, kNeighbours},

      {abstainers, "W7", "then call", {abstainer}},
      {abstainers, "W7", "needs nobody", {}, kRelaxed},
      {abstainers, "W7", "before Recruit", {abstainer}},

      {returners, "W9", "before the look", {returner}},
      {returners, "W9", "wants no call", {}, kRelaxed},
      {returners, "W9", "after the task", {returner}},

      {absence, "W4", "after the mark", {}, kRelaxed},
      {absence, "W8", "after the need", {away}},
      {absence, "W8", "before the look", {away}},
      {absence, "W8", "nobody waits", {}, kRelaxed},

      {extra, "W5", "after AddSeeker", {}, kRelaxed},

      {scan, "O1", "mailbox.Empty() &&", {}, kRelaxed},
      {scan, "W1", "compare_exchange", {joint}, kNeighbours},
      {scan, "W1", "return count_", {joint}, kFence},

      {queue, "Q1", "size_.fetch_add", {mailed}},
      {queue, "Q1", "== 0", {mailed}},
      {queue, "Q1", "only report", {}, kRelaxed},
      {queue, "Q1", "and one is left", {}, kRelaxed},
      {queue, "O2 Q1", "size_.fetch_sub", {takes_one, takes_isolated}},

      {shared, "Q1", "exchange", {joint}},
      {shared, "Q1", "the sleeper announced", {joint}},
      {shared, "Q2", "nullptr, std::memory_order_relaxed", {}, kRelaxed},
      {shared, "Q2", "the first one, to", {reused}},
      {shared, "Q2", "the next one, to", {order}},
      {shared, "Q2", "a hint", {}, kRelaxed},
      {shared, "Q2", "Q2: it", {reused}},
      {shared, "Q2", "Q2: the next one", {order}},
      {shared, "Q2", "a report", {}, kReport},
      {shared, "Q3", "the lock orders", {}, kRelaxed},
      {shared, "Q3", "looks empty", {}, kRelaxed},
      {shared, "Q3", "compare_exchange", {order}, kExecuted},

      {looker, "O2", "before it takes something", {}, kRelaxed},
      {looker, "O2", "after the look in vain", {takes_one}},
      {looker, "O2", "the slot is occupied", {comes_between}},
      {looker, "O2", "and then whether", {comes_between}},
      {looker, "O2", "its own", {}, kRelaxed},
      {looker, "O1", "what it left", {leaves}},
      {looker, "O2", "between the looks", {steals_one}},

      {vacancy, "W4", "full_.store", {}, kRelaxed},
      {vacancy, "W4", "before another look", {slot_left}},
      {vacancy, "W5", "before the look for a slot", {seeker}, kFence},
      {vacancy, "W5", "the next Vacate", {seeker}, kNeighbours},
      {vacancy, "W5", "nobody waits", {}, kRelaxed},
      {vacancy, "O1", "occupied.store", {full}, kFence},
      {slots, "O1", "a hint", {}, kRelaxed},
      {slots, "O1", "the last occupant", {changes_hands}},
      {vacancy, "W4 W5", "SeqCstFence", {seeker}},
      {vacancy, "W4 W5", "SeqCstFence", {slot_left}},
      {vacancy, "W4", "after the slot", {slot_left, full}, kFence},
      {vacancy, "W4", "one of us", {slot_left, full}, kFence},
      {vacancy, "W5 W8", "seekers_.load", {away_seeker}},

      {workforce, "P1", "a hint", {}, kRelaxed},
      {workforce, "P1", "then call", {limit}, kPair},
      {workforce, "P1", "after W3", {limit}, kPair},
      {workforce, "P1", "after S2", {raise}},
      {workforce, "P1", "after P8", {limit_ends}},
      {workforce, "P1", "before P8", {limit_ends, left_and_lowered}, kInOrder},
      {workforce, "P2", "before the wake-ups", {shutdown}, kToken},
      {workforce, "P2", "after Add", {shutdown}, kToken},
      {workforce, "P2", "the lock is free", {}, kRelaxed},
      {workforce, "P3", "P3: after the", {elsewhere}, kNote},
      {workforce, "P3", "P3: own search", {elsewhere}, kNote},
      {workforce, "P3", "before it stops", {elsewhere}, kNote},
      {workforce, "P3", "it goes on searching", {elsewhere}, kNote},
      {workforce, "P3", "written under the lock", {}, kRelaxed},
      {workforce, "P3", "before it is counted", {elsewhere}, kNote},
      {workforce, "P3", "it never came to be", {}, kNote},
      {workforce, "P3", "it can be called", {elsewhere}, kNote},
      {workforce, "P3", "it searches", {elsewhere}, kNote},
      {workforce, "P3", "it is gone", {retirement}, kNote},
      {workforce, "P3", "none is left", {retirement}, kNote},
      {workforce, "P4", "before the wake-ups", {retirement}, kToken},
      {workforce, "P4", "then call", {retirement}, kPair},
      {workforce, "P4", "a hint", {}, kRelaxed},
      {workforce, "P4", "after Add", {retirement}, kToken},
      {workforce, "P4", "after W3", {retirement}, kPair},
      {workforce, "P6", "before the look", {retirement, down_and_up}, kPair},
      {workforce, "P6", "after W3", {retirement, down_and_up}, kPair},
      {workforce, "P6", "after the raise", {retirement, down_and_up}, kPair},
      {workforce, "P5", "whom to call first", {}, kHint},
      {workforce, "P5", "it may be called", {}, kHint},
      {workforce, "P5", "a hint", {}, kHint},

      {workforce, "P8", "then call", {left_for_wait}},
      {workforce, "P8", "nobody any more", {}, kRelaxed},
      {workforce, "P8", "after W6", {left_for_wait}},

      {unserved, "P7", "& bit) != 0", {above}},
      {unserved, "P7", "fetch_or", {above}, kExecuted},
      {unserved, "P7", "now or later", {}, kRelaxed},
      {unserved, "P7", "fetch_and", {above}},

      {signals, "G3 G4", "fetch_add", {place}},
      {signals, "G4 G9", "HeavyFence", {remote, from_home}},
      {signals, "G3 G4", "fetch_sub", {}, kRelaxed},
      {signals, "G4 G9", "SureLightFence", {remote, from_home}},
      {signals, "G4 G9", "waiters_.load", {}, kRelaxed},
      {signals, "G3", "waiters_.load", {}, kRelaxed},
      {signals, "G3 G6", "waiters_.load", {place}},
      {signals, "G6", "fetch_add", {place}},
      {signals, "G6", "spawned_elsewhere_.load", {place}},

      {spawns, "G9", "one writer", {from_home}},
      {spawns, "G9", "the task and its arena", {from_home}},
      {spawns, "G9", "after AnnounceWaiter", {from_home}},

      {count, "G1", "a guess", {}, kRelaxed},
      {count, "G2", "remote_done_.load", {home, remote}},
      {count, "G1", "published with the task", {}, kRelaxed},
      {count, "G1", "one writer", {remote}},
      {count, "G1", "the task's work", {remote}},
      {count, "G2", "published with the task", {}, kRelaxed},
      {count, "G2 G3", "remote_done_.fetch_add", {home}},
      {count, "G8", "after the heavy fence", {}, kFence},
      {count, "G2 G8", "before Left", {remote_both}},
      {count, "G2 G8", "its work", {remote_both}},
      {count, "G8", "count anew", {remote_both}},
      {count, "G1 G8", "local_.load(std::memory_order_acquire)", {remote}},
      {count, "G2", "remote_spawned_.load", {}, kRelaxed},

      {noted, "G5", "compare_exchange", {new_arena}},
      {noted, "G5", "return arena_.load", {new_arena}},
      {noted, "G7", "nobody else", {}, kRelaxed},
      {noted, "G7", "more_.load(std::memory_order_acquire)", {further}},
      {noted, "G7", "compare_exchange", {further}},

      {latch, "J1", "what the thief did", {join}},
      {latch, "J1", "or is seen", {}, kRelaxed},
      {latch, "J1", "after complete", {}, kRelaxed},
      {latch, "J1", "the next spawn", {}, kRelaxed},
      {latch, "J1", "exchange", {join}},
      {latch, "J2", "kThief) - 1", {}, kRelaxed},
      {latch, "J2", "fetch_or", {}, kRelaxed},

      {credit, "J3", "what all have done", {branch}},
      {credit, "J3", "or is seen", {}, kRelaxed},
      {credit, "J3", "what was done", {branch}},

      {predecessors, "T1", "published with", {}, kRelaxed},
      {predecessors, "T1", "what the others did", {parent}},
      {predecessors, "T1", "of the others", {runs_one, sibling}},
      {predecessors, "T1", "fetch_add", {by_hand}},
      {predecessors, "T1", "what all the others did", {last}},
      {predecessors, "T1", "ours alone", {}, kRelaxed},
      {predecessors, "T1", "gets it from the caller", {}, kRelaxed},
      {predecessors, "T1", "both ways", {last}},
      {predecessors, "T1", "as if it had been", {taken_back}},
      {predecessors, "T1", "goes on to Left", {}, kRelaxed},
      {predecessors, "T2", "fetch_or", {}, kRelaxed},

      {loop_parts, "L2", "a guess", {}, kRelaxed},
      {loop_parts, "L2", "compare_exchange", {}, kRelaxed},
      {loop_parts, "L3", "or the taker's count is", {three_meet}},
      {loop_parts, "L3", "return open_", {}, kRelaxed},
      {loop_parts, "L3", "fetch_add", {}, kRelaxed},
      {loop_parts, "L3", "fetch_sub", {}, kRelaxed},
      {loop_parts, "L2", "how much there is", {}, kRelaxed},
      {loop_parts, "L2", "after the taker's fence", {}, kRelaxed},
      {loop_parts, "L3", "or the units are", {two_meet, three_meet}},

      {delegation, "D2", "publishes the result", {delegated}},
      {delegation, "D2", "return done_", {delegated}},

      {serial, "N1", "fetch_add", {serial_turns}},
      {serial, "N1", "fetch_sub", {serial_turns}},

      {watch, "V1", "after the task is queued", {watched}},
      {watch, "V1", "one of us", {}, kRelaxed},
      {watch, "V1", "then look again", {watched}},

      {table, "M1", "its entries", {grows}},
      {table, "M1", "its element", {heir}},
      {table, "M1", "after its thread", {}, kRelaxed},
      {table, "M1", "written under the mutex", {}, kRelaxed},
      {table, "M1", "one thread", {}, kRelaxed},
      {table, "M1", "before its thread", {}, kRelaxed},
      {table, "M1", "publishes the element", {heir}},
      {table, "M1", "locked", {}, kRelaxed},
      {table, "M1", "publishes the entries", {grows}},

      {ring, "X1", "one writer", {}, kRelaxed},
      {ring, "X1", "entry.nanoseconds.store", {traced}},
      {ring, "X1", "entry.kind_and_detail.store", {traced}},
      {ring, "X1", "publishes the entry", {traced}},
      {ring, "X1", "entries before it", {traced}},
      {ring, "X1", "entry.nanoseconds.load", {traced}},
      {ring, "X1", "entry.kind_and_detail.load", {traced}},
      {ring, "X1", "after the entries", {}, kRelaxed},

      {context, "C1 C2", "word_.load", {}, kRelaxed},
      {context, "C1", "word_.", {}, kRelaxed},
      {context, "C2", "word_.", {}, kRelaxed},
      {context, "C4", "fetch_or", {throws}},
      {lock, "Y1", "kHeld, std::memory_order_acquire", {owners}},
      {lock, "Y1", "state_.exchange(kFree", {owners_exchange}},
      {lock, "Y1", "state_.store(kFree", {owners}},
      {lock, "Y1", "a hint", {}, kRelaxed},
      {lock, "Y1", "state_.exchange(kContended", {owners}},
      {lock, "Y2", "a hint", {}, kRelaxed},
      {lock, "Y2", "then who sleeps", {owners}},
      {lock, "Y2", "after unlocking", {}, kRelaxed},
      {lock, "Y2", "before the heavy fence", {}, kFencesInOrder},
      {lock, "Y2", "then sleep", {owners}},
      {lock, "Y2", "for others", {}, kFencesInOrder},
      {lock, "Y2", "unless another", {}, kRelaxed},
      {lock, "Y2", "sleeps no more", {}, kRelaxed},

      {rw_lock, "Y3", "a hint", {}, kRelaxed},
      {rw_lock, "Y3", "to a writer", {writer_reader}},
      {rw_lock, "Y3", "both ways", {two_writers}},
      {rw_lock, "Y3", "the last owners", {two_writers}},
      {rw_lock, "Y3", "the last writer", {writer_reader, tries}},
      {rw_lock, "Y3", "to readers", {downgrade}},
      {rw_lock, "Y3", "read nothing", {}, kRelaxed},
      {rw_lock, "Y3", "orders nothing", {}, kRelaxed},
      {rw_lock, "Y3", "after the other readers", {upgrade, upgrades}},
      {rw_lock, "Y3", "no order", {}, kRelaxed},
      {rw_lock, "Y3", "to the next", {two_writers}},

      {context, "C4", "word_.load", {throws}},
      {context, "C5", "word_.", {}, kRelaxed},
      {context, "C6", "word_.", {}, kRelaxed},
      {context, "C7", "word_.", {}, kRelaxed},

      {tree, "C3", "parent_.store", {guest_comes}},
      {tree, "C3", "parent_.load", {guest_comes}},
      {tree, "C6", "node_.load(std::memory_order_acquire)", {guest_ends}},
      {tree, "C6", "locked", {}, kRelaxed},
      {tree, "C6", "the last that is done", {guest_ends}},
  };
}

}  // namespace
}  // namespace model
}  // namespace filch

int main(int argc, char** argv) {
  using namespace filch::model;  // NOLINT(google-build-using-namespace)
  return CheckEdgeMutants(argc > 1 ? argv[1] : "pool", Rows(), 1000) ? 0 : 1;
}
