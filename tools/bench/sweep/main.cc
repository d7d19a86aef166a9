// The sweep's program of one runtime: times rows and prints, for each, its name, the median of
// its calls in nanoseconds, and its answer, with tabulators between.
//
//   <runtime> [--threads N] [--microseconds N] [--pause N] [BEGINNING...]
//   <runtime> --list [BEGINNING...]
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tools/bench/sweep/row.h"
#include "tools/demo_programs/command_line.h"

namespace sweep {
namespace {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::duration<double, std::nano>;

// Shorter calls are timed several at once: to read the clock takes as long as some rows.
constexpr double kLongEnough = 2000;
constexpr int kMostAtOnce = 32;
constexpr std::size_t kFewestTimes = 5;

struct Measured {
  double nanoseconds;  // the median
  std::uint64_t answer;
};

// As the serial part of a program between its loops.
void Pause(std::chrono::microseconds length) {
  for (const Clock::time_point begin = Clock::now(); Clock::now() - begin < length;) {
  }
}

class Timer {
 public:
  Timer(std::chrono::microseconds at_least, std::chrono::microseconds pause)
      : at_least_(at_least), pause_(pause) {}

  Measured Time(const Row& row) const {
    const Call call = row.make();
    if (call.prepare) call.prepare();
    const std::uint64_t answer = call.run();
    const int at_once = call.prepare || pause_.count() > 0 ? 1 : AtOnce(call);
    std::vector<double> times;
    for (const Clock::time_point begin = Clock::now();
         times.size() < kFewestTimes || Clock::now() - begin < at_least_;) {
      if (call.prepare) call.prepare();
      Pause(pause_);
      times.push_back(TimeOf(call, at_once, answer) / at_once);
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return {*middle, answer};
  }

 private:
  static double TimeOf(const Call& call, int at_once, std::uint64_t expected) {
    const Clock::time_point begin = Clock::now();
    bool right = true;
    for (int i = 0; i < at_once; ++i) right &= call.run() == expected;
    const double time = Nanoseconds(Clock::now() - begin).count();
    if (!right) throw std::runtime_error("two calls of a row differ in their answers");
    return time;
  }

  static int AtOnce(const Call& call) {
    const Clock::time_point begin = Clock::now();
    call.run();
    const double time = Nanoseconds(Clock::now() - begin).count();
    return static_cast<int>(std::clamp(kLongEnough / (time + 1), 1.0, double{kMostAtOnce}));
  }

  const std::chrono::microseconds at_least_;
  const std::chrono::microseconds pause_;
};

// Most likely all threads have started before the first row.
void StartThreads(int threads) {
  tbb::parallel_for(0, threads * 8,
                    [](int) { std::this_thread::sleep_for(std::chrono::milliseconds(1)); });
}

bool IsChosen(const std::string& name, const std::vector<std::string>& beginnings) {
  return beginnings.empty() ||
         std::any_of(beginnings.begin(), beginnings.end(), [&](const std::string& beginning) {
           return name.compare(0, beginning.size(), beginning) == 0;
         });
}

int Main(int argc, char** argv) {
  bool list = false;
  long threads = 2;
  long microseconds = 1000;
  long pause = 0;
  std::vector<std::string> beginnings;
  demo::CommandLine line(SWEEP_NAME,
                         "[--threads N] [--microseconds N] [--pause N] [BEGINNING...]"
                         " | --list [BEGINNING...]");
  line.AddFlag("list", &list);
  line.AddNumber("threads", 1, 1024, &threads);
  line.AddNumber("microseconds", 0, 10000000, &microseconds);
  line.AddNumber("pause", 0, 1000000, &pause);
  line.AddRest(&beginnings);
  line.ParseOrExit(argc, argv);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(threads));
  if (!list) StartThreads(static_cast<int>(threads));
  const Timer timer{std::chrono::microseconds(microseconds), std::chrono::microseconds(pause)};
  bool any = false;
  for (const Row& row : AllRows()) {
    if (!IsChosen(row.name, beginnings)) continue;
    any = true;
    if (list) {
      std::printf("%s\n", row.name.c_str());
      continue;
    }
    const Measured measured = timer.Time(row);
    std::printf("%s\t%.1f\t%016llx\n", row.name.c_str(), measured.nanoseconds,
                static_cast<unsigned long long>(measured.answer));
    std::fflush(stdout);
  }
  if (!any) std::fprintf(stderr, "%s: The name of no row begins so.\n", SWEEP_NAME);
  return any ? 0 : 2;
}

}  // namespace

std::vector<Row>& AllRows() {
  static auto* const rows = new std::vector<Row>;
  return *rows;
}

void Add(std::string kind, const std::string& form, std::function<Call()> make) {
  AllRows().push_back({std::move(kind) + "/" + form, std::move(make)});
}

void AddLengths(std::size_t units, const std::string& kind, const MakeCall& make) {
  constexpr double kLongest = 2000;
  for (const char* const length : {"0.1", "0.3", "1", "2", "5", "15", "50"}) {
    const double microseconds = std::stod(length);
    if (microseconds * static_cast<double>(units) > kLongest) break;
    const auto steps = static_cast<std::uint32_t>(microseconds * bench::kStepsPerMicrosecond);
    Add(kind, std::to_string(units) + "x" + length, [=] { return make(units, steps); });
  }
}

void AddGridUpTo(std::size_t most, const std::string& kind, const MakeCall& make) {
  for (const std::size_t units : {2, 3, 4, 8, 16, 64, 256, 1000}) {
    if (units <= most) AddLengths(units, kind, make);
  }
}

}  // namespace sweep

int main(int argc, char** argv) {
  try {
    return sweep::Main(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s: it could not finish: %s.\n", SWEEP_NAME, problem.what());
    return 1;
  }
}
