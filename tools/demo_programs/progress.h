// Progress: a line a second on stderr while a long part runs.
//
// Not for parts shorter than a second: they print nothing.  When it is off, it
// starts no thread and Add() is one branch, so the same program can be timed
// without it.
// One thread at a time: Begin, End.  Any thread: Add.
// Memory ordering: none is promised; the counter is for the reader's eyes.
//
// Example:
//   Progress progress("picture", options.progress);
//   progress.Begin("rows", height);
//   ... progress.Add(1); ...
//   progress.End();
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_PROGRESS_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_PROGRESS_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace demo {

// What a line says, without a line feed.  With a total of 0 it names the elapsed
// time instead of the share that is done.
std::string ProgressLine(const std::string& program, const std::string& unit, std::int64_t done,
                         std::int64_t total, std::int64_t seconds);

class Progress {
 public:
  Progress(std::string program, bool enabled);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Starts a part of `total` units.  With a total of 0 the lines name the
  // elapsed time: for parts so fine-grained that counting would slow them down.
  void Begin(std::string unit, std::int64_t total);
  void End();

  // Any thread.
  void Add(std::int64_t units) {
    if (enabled_) done_.fetch_add(units, std::memory_order_relaxed);
  }

 private:
  void Tick();

  const std::string program_;
  const bool enabled_;
  std::atomic<std::int64_t> done_{0};

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool running_ = false;
  bool leaving_ = false;
  std::string unit_;
  std::int64_t total_ = 0;
  std::chrono::steady_clock::time_point begin_;

  std::thread ticker_;
};

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_PROGRESS_H_
