#include "tools/demo_programs/progress.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace demo {
namespace {

// Often enough to show life, seldom enough not to fill a log.
constexpr std::chrono::seconds kInterval(1);

}  // namespace

std::string ProgressLine(const std::string& program, const std::string& unit, std::int64_t done,
                         std::int64_t total, std::int64_t seconds) {
  if (total <= 0) return program + ": " + unit + ", " + std::to_string(seconds) + " s";
  const std::int64_t shown = std::min(done, total);
  return program + ": " + std::to_string(shown) + " of " + std::to_string(total) + " " + unit +
         " (" + std::to_string(shown * 100 / total) + " %)";
}

Progress::Progress(std::string program, bool enabled)
    : program_(std::move(program)), enabled_(enabled) {
  if (enabled_) ticker_ = std::thread([this] { Tick(); });
}

Progress::~Progress() {
  if (!enabled_) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_one();
  ticker_.join();
}

void Progress::Begin(std::string unit, std::int64_t total) {
  if (!enabled_) return;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    running_ = true;
    unit_ = std::move(unit);
    total_ = total;
    begin_ = std::chrono::steady_clock::now();
    done_.store(0, std::memory_order_relaxed);
  }
  changed_.notify_one();
}

void Progress::End() {
  if (!enabled_) return;
  std::lock_guard<std::mutex> lock(mutex_);
  running_ = false;
}

void Progress::Tick() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (!leaving_) {
    if (!running_) {
      changed_.wait(lock, [this] { return leaving_ || running_; });
      continue;
    }
    const auto part = begin_;
    const auto next_line = std::chrono::steady_clock::now() + kInterval;
    changed_.wait_until(lock, next_line, [this, part] { return leaving_ || begin_ != part; });
    if (leaving_ || !running_ || begin_ != part) continue;
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_);
    const std::string line = ProgressLine(program_, unit_, done_.load(std::memory_order_relaxed),
                                          total_, seconds.count());
    std::fprintf(stderr, "%s\n", line.c_str());
  }
}

}  // namespace demo
