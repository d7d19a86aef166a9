// Row: one small program of the sweep, and what such programs are made of.
//
// A row is a program of TBB that takes between a tenth of a microsecond and some
// milliseconds.  It is made known by a static object of the file that has it:
//
//   const Rows rows([] {
//     AddGrid("for", [](std::size_t n, std::uint32_t steps) {
//       return Call{[=] { return LoopOver(n, steps); }};
//     });
//   });
//
// One thread, but for Units.
#ifndef FILCH_TOOLS_BENCH_SWEEP_ROW_H_
#define FILCH_TOOLS_BENCH_SWEEP_ROW_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tools/bench/harness/work.h"

namespace sweep {

// What is timed.  It returns the same answer each time, whatever runs it.
struct Call {
  std::function<std::uint64_t()> run;
  // Called before, and not timed; may be empty.
  std::function<void()> prepare;
};

struct Row {
  std::string name;  // <kind>/<form>
  // Makes the call and all it works on, in the arena and with the threads that are measured.
  std::function<Call()> make;
};

// All rows, in the order in which they were added.
std::vector<Row>& AllRows();

void Add(std::string kind, const std::string& form, std::function<Call()> make);

// Makes the call of a row with so many units of so many steps each.
using MakeCall = std::function<Call(std::size_t units, std::uint32_t steps)>;

// `kind` with so many units of 0.1 to 50 microseconds each: what takes two milliseconds at most on
// one thread.  The form is <units>x<microseconds>.
void AddLengths(std::size_t units, const std::string& kind, const MakeCall& make);

// The same for 2 to `most` units.
void AddGridUpTo(std::size_t most, const std::string& kind, const MakeCall& make);
// And for all, 1000 at most.
inline void AddGrid(const std::string& kind, const MakeCall& make) {
  AddGridUpTo(1000, kind, make);
}

// Runs a function that adds rows.
class Rows {
 public:
  explicit Rows(void (*add)()) { add(); }
};

// What units leave behind, each in a place of its own, so that a unit that did not run, or ran
// twice, changes the answer.  Any thread may run a unit; nobody else reads meanwhile.
class Units {
 public:
  Units(std::size_t n, std::uint32_t steps) : results_(n), steps_(steps) {}

  std::size_t size() const { return results_.size(); }
  std::uint32_t steps() const { return steps_; }

  void Run(std::size_t i) { RunFor(i, steps_); }
  void RunFor(std::size_t i, std::uint32_t steps) { results_[i] += bench::Work(steps) + i; }

  // Of all since the last call.
  std::uint64_t Answer() {
    std::uint64_t sum = 0;
    for (std::uint64_t& result : results_) {
      sum = sum * 31 + result;
      result = 0;
    }
    return sum;
  }

 private:
  std::vector<std::uint64_t> results_;
  const std::uint32_t steps_;
};

// A grid of calls of run(units), which runs each of them once.
template <typename Run>
void AddUnits(const std::string& kind, Run run) {
  AddGrid(kind, [run](std::size_t n, std::uint32_t steps) {
    auto units = std::make_shared<Units>(n, steps);
    return Call{[=] {
                  run(*units);
                  return units->Answer();
                },
                {}};
  });
}

}  // namespace sweep

#endif  // FILCH_TOOLS_BENCH_SWEEP_ROW_H_
