#include "filch/pool/default_pool.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "absl/status/statusor.h"
#include "filch/pool/first_use.h"
#include "filch/pool/pool.h"
#include "filch/topology/cpu_set.h"
#include "filch/topology/thread_binding.h"

namespace filch {

namespace {

constexpr std::size_t kTraceEvents = 65536;

// Null: there is none.  Never destroyed, for they are read when the process ends.
const std::string* stats_file = nullptr;
const std::string* trace_file = nullptr;
pid_t reporter = 0;  // the process whose files they are

// A copy, for what std::getenv returns is the program's to change.  Null: it names no file.
std::unique_ptr<const std::string> FileIn(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return nullptr;
  return std::make_unique<const std::string>(value);
}

void WriteFile(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  // Most of it is written now.
  if (file != nullptr && std::fclose(file) != 0) written = false;
  if (!written) std::fprintf(stderr, "filch: %s cannot be written.\n", path.c_str());
}

void WriteReports() {
  if (getpid() != reporter) return;
  if (stats_file != nullptr) WriteFile(*stats_file, DefaultPool().Stats().ToJson() + "\n");
  if (trace_file != nullptr) WriteFile(*trace_file, DefaultPool().TraceJson());
}

// The default pool's threads run the code of this library as long as the process
// lives, so it must not be unloaded.
void StayLoaded() {
  Dl_info self;
  if (dladdr(reinterpret_cast<const void*>(&StayLoaded), &self) == 0) return;
  // Null for a program, which is never unloaded.
  static_cast<void>(dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE));
}

pool_internal::FirstUse<Pool> default_pool;
void (*prepare_process)() = nullptr;

Pool* MakeDefaultPool(void* memory) {
  std::unique_ptr<const std::string> stats = FileIn("FILCH_STATS");
  std::unique_ptr<const std::string> trace = FileIn("FILCH_TRACE");
  PoolOptions options;
  // Whoever comes first may be bound for some purpose of its own.  Of the main thread itself it is
  // known where it might run before it came to an arena that binds it.
  if (!IsMainThread()) options.cpus = MainThreadBinding().value_or(CpuSet());
  if (trace != nullptr) options.trace_events = kTraceEvents;
  Pool* const pool = ::new (memory) Pool(options);
  reporter = getpid();
  stats_file = stats.release();
  trace_file = trace.release();
  if (stats_file != nullptr || trace_file != nullptr) std::atexit(&WriteReports);
  return pool;
}

}  // namespace

Pool& DefaultPool() {
  if (Pool* const made = default_pool.Find()) return *made;
  // Both may wait for a thread that is loading a library, which may wait for the lock of Get.
  StayLoaded();
  if (prepare_process != nullptr) prepare_process();
  return default_pool.Get(MakeDefaultPool);
}

void BeforeDefaultPool(void (*prepare)()) {
  prepare_process = prepare;
  if (default_pool.Find() != nullptr) prepare();
}

}  // namespace filch
