#include "tools/demo_programs/progress.h"

#include <algorithm>
#include <chrono>
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
    if (!leaving_ && running_ && begin_ == part) PrintLine();
  }
}

void Progress::PrintLine() {
  const auto elapsed = std::chrono::steady_clock::now() - begin_;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(elapsed).count();
  if (total_ <= 0) {
    std::fprintf(stderr, "%s: %s, %lld s\n", program_.c_str(), unit_.c_str(),
                 static_cast<long long>(seconds));
    return;
  }
  const std::int64_t done = std::min(done_.load(std::memory_order_relaxed), total_);
  std::fprintf(stderr, "%s: %lld of %lld %s (%lld %%)\n", program_.c_str(),
               static_cast<long long>(done), static_cast<long long>(total_), unit_.c_str(),
               static_cast<long long>(done * 100 / total_));
}

}  // namespace demo
