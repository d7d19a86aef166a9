// Fibonacci numbers by recursion without a cut-off: the whole cost is tasks.
//
//   fib --style invoke|group [--size N]
//
// `invoke` makes one tbb::parallel_invoke a call, `group` one tbb::task_group.
#include <tbb/parallel_invoke.h>
#include <tbb/task_group.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "tools/demo_programs/command_line.h"
#include "tools/demo_programs/json_object.h"
#include "tools/demo_programs/measure.h"
#include "tools/demo_programs/progress.h"

namespace demo {
namespace {

std::int64_t SerialFib(long n) { return n < 2 ? n : SerialFib(n - 1) + SerialFib(n - 2); }

std::int64_t InvokeFib(long n) {
  if (n < 2) return n;
  std::int64_t x = 0;
  std::int64_t y = 0;
  tbb::parallel_invoke([&] { x = InvokeFib(n - 1); }, [&] { y = InvokeFib(n - 2); });
  return x + y;
}

std::int64_t GroupFib(long n) {
  if (n < 2) return n;
  std::int64_t x = 0;
  tbb::task_group group;
  group.run([&] { x = GroupFib(n - 1); });
  const std::int64_t y = GroupFib(n - 2);
  group.wait();
  return x + y;
}

int Main(int argc, char** argv) {
  RunOptions options;
  std::string style = "invoke";
  long size = 32;
  CommandLine line("fib", "[--style invoke|group] [--size N]");
  line.AddRunOptions(&options);
  line.AddText("style", &style);
  line.AddNumber("size", 0, 60, &size);
  line.ParseOrExit(argc, argv);
  if (style != "invoke" && style != "group") {
    std::fprintf(stderr, "fib: The option --style takes invoke or group, not '%s'.\n%s\n",
                 style.c_str(), line.usage().c_str());
    return 2;
  }

  Progress progress("fib", options.progress);
  std::int64_t value = 0;
  const Measurement measurement = Measure(options, [&] {
    progress.Begin("computing", 0);
    if (options.serial) {
      value = SerialFib(size);
    } else {
      value = style == "invoke" ? InvokeFib(size) : GroupFib(size);
    }
    progress.End();
  });
  const std::string answer = "fib(" + std::to_string(size) + ") = " + std::to_string(value);
  return WriteJson(Result("fib_" + style, options, measurement, answer), options.json) ? 0 : 1;
}

}  // namespace
}  // namespace demo

int main(int argc, char** argv) {
  return demo::RunProgram("fib", [=] { return demo::Main(argc, argv); });
}
