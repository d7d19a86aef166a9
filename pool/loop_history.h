// LoopHistory: what a thread remembers of its loops and pipelines, to decide how the next ones
// begin.
//
// It is made at a thread's first loop and not a part of its thread-local storage, for there
// is little of that left for libraries that are loaded while the program runs (dlopen): glibc
// keeps 512 bytes for all of them that reach theirs as fast as this one does.  Nor has it a
// thread-local owner: to make one takes the loader's lock, and a thread that holds that in the
// constructor of a library may be waiting for this one.
//
// A loop that was cancelled was cut short and says nothing of others, so nobody notes it here.
//
// The calling thread.
#ifndef FILCH_POOL_LOOP_HISTORY_H_
#define FILCH_POOL_LOOP_HISTORY_H_

#include "filch/pool/loop_kinds.h"
#include "filch/pool/loop_paces.h"
#include "filch/pool/sleepers_credit.h"
#include "filch/pool/stream_paces.h"
#include "filch/pool/stream_visit.h"

namespace filch {
namespace pool_internal {

struct LoopHistory {
  // What it ran alone because everybody slept.
  SleepersCredit sleepers_credit;
  // How long they took, by size (LoopKind::OfSize).
  LoopPaces paces;
  // Which of them had first units that ended before anybody came to help.
  LoopKinds<64, 2> independent;
  // Which of them had first units so short (FirstUnits::AreQuick) that the next such loop withholds
  // its others until those have begun; of loops of few units by size (LoopKind::OfSize), as the
  // next ones.
  LoopKinds<64, 1> quick;
  // The loops of few units that looked like nothing.  A loop of few units is shared from its
  // first unit on, for that may be a long one.  But a thread that has to be woken for it
  // costs more than many a loop, and one that is awake makes a loop of 50 ns one of half a
  // microsecond.
  LoopKinds<32, 4> brief;
  // Those with places that are about over before others could begin.
  LoopKinds<32, 2> brief_places;
  // Those whose parts are long, where each slot has its own (AbsentCall).
  LoopKinds<32, 1> long_parts;
  // Of pipelines.
  StreamPaces streams;
  // The stream that the thread helps with.
  StreamVisit visit;

  // The calling thread's.  Throws std::bad_alloc at the first call.
  static LoopHistory& Own() {
    LoopHistory* const own = own_;
    return __builtin_expect(own != nullptr, 1) ? *own : Make();
  }

 private:
  static LoopHistory& Make();
  static void GiveBack();

  static __thread LoopHistory* own_ __attribute__((tls_model("initial-exec")));
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LOOP_HISTORY_H_
