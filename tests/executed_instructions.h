// ExecutedInstructions: counts what the calling thread executes, and what of it locks.
//
// Where machine_code.sh reads what there is, this tells what is done: slow paths that are
// not taken do not count.  The processor stops after each instruction, and a signal handler
// looks at the next one, which takes up to a tenth of a millisecond: for some ten thousand
// instructions, not more.
//
// One at a time in a process; Start and Stop on the same thread, which must not start
// threads in between.  It takes SIGTRAP away from debuggers.
//
//   ExecutedInstructions executed;
//   executed.Start();
//   ...
//   executed.Stop();
//   EXPECT_EQ(executed.locked(), 0);
#ifndef FILCH_TESTS_EXECUTED_INSTRUCTIONS_H_
#define FILCH_TESTS_EXECUTED_INSTRUCTIONS_H_

#include <cstdint>

namespace filch {

class ExecutedInstructions {
 public:
  // Whether it counts anything on this machine, and in this build; else Start and Stop do nothing.
  static bool IsAvailable();

  // The counts begin at 0.
  void Start();
  void Stop();

  // All of them, with some 20 of Start and Stop.
  std::int64_t all() const { return all_; }
  // Fences, and those that lock the bus: read-modify-writes, stores that are sequentially
  // consistent.
  std::int64_t locked() const { return locked_; }

 private:
  std::int64_t all_ = 0;
  std::int64_t locked_ = 0;
};

}  // namespace filch

#endif  // FILCH_TESTS_EXECUTED_INSTRUCTIONS_H_
