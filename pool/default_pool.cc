#include "filch/pool/default_pool.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

#include "filch/pool/first_use.h"
#include "filch/pool/pool.h"

namespace filch {

namespace {

constexpr std::size_t kTraceEvents = 65536;

// Null: there is none.  Never destroyed, for they are read when the process ends.
const std::string* stats_file = nullptr;
const std::string* trace_file = nullptr;
pid_t reporter = 0;  // the process whose files they are

// A copy, for what std::getenv returns is the program's to change.
const std::string* CopyOfVariable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? nullptr : new std::string(value);
}

void WriteFile(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file) != text.size()) {
    std::fprintf(stderr, "filch: %s cannot be written.\n", path.c_str());
  }
  if (file != nullptr) std::fclose(file);
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

Pool* MakeDefaultPool(void* memory) {
  StayLoaded();
  stats_file = CopyOfVariable("FILCH_STATS");
  trace_file = CopyOfVariable("FILCH_TRACE");
  reporter = getpid();
  if (stats_file != nullptr || trace_file != nullptr) std::atexit(&WriteReports);
  PoolOptions options;
  if (trace_file != nullptr) options.trace_events = kTraceEvents;
  return ::new (memory) Pool(options);
}

}  // namespace

Pool& DefaultPool() {
  static pool_internal::FirstUse<Pool> pool;
  return pool.Get(MakeDefaultPool);
}

}  // namespace filch
