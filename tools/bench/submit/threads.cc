#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

#include "tools/bench/submit/submit.h"

namespace bench {
namespace {

// What people write: a queue with a mutex, and threads that wait for it.
class Submitter {
 public:
  explicit Submitter(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { Serve(); });
  }
  ~Submitter() {
    for (std::size_t i = 0; i < threads_.size(); ++i) Submit(nullptr);
    for (std::thread& thread : threads_) thread.join();
  }
  Submitter(const Submitter&) = delete;
  Submitter& operator=(const Submitter&) = delete;

  void Submit(std::function<void()> f) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      queue_.push_back(std::move(f));
    }
    filled_.notify_one();
  }

 private:
  void Serve() {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex_);
      filled_.wait(lock, [this] { return !queue_.empty(); });
      const std::function<void()> f = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      if (!f) return;
      f();
    }
  }

  std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<std::function<void()>> queue_;
  std::vector<std::thread> threads_;
};

const SubmitRegistrations<Submitter> submit;

}  // namespace
}  // namespace bench
