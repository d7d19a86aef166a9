#include "tests/conformance/task_trees.h"

#include <tbb/task.h>
#include <tbb/task_group.h>

#include <thread>

#include "tools/bench/classic/fib_tasks.h"

namespace filch {
namespace {

class ThreeBlocking final : public tbb::task {
 public:
  ThreeBlocking(int depth, long* leaves) : depth_(depth), leaves_(leaves) {}
  tbb::task* execute() override {
    if (depth_ == 0) {
      *leaves_ = 1;
      return nullptr;
    }
    long below[3];
    set_ref_count(4);
    for (int i = 0; i < 2; ++i) {
      spawn(*new (allocate_child()) ThreeBlocking(depth_ - 1, &below[i]));
    }
    spawn_and_wait_for_all(*new (allocate_child()) ThreeBlocking(depth_ - 1, &below[2]));
    *leaves_ = below[0] + below[1] + below[2];
    return nullptr;
  }

 private:
  const int depth_;
  long* const leaves_;
};

class ThreeContinued final : public tbb::task {
 public:
  ThreeContinued(int depth, long* leaves) : depth_(depth), leaves_(leaves) {}
  tbb::task* execute() override {
    if (depth_ == 0) {
      *leaves_ = 1;
      return nullptr;
    }
    Together& all = *new (allocate_continuation()) Together(leaves_);
    all.set_ref_count(3);
    for (long& below : all.below) {
      spawn(*new (all.allocate_child()) ThreeContinued(depth_ - 1, &below));
    }
    return nullptr;
  }

 private:
  class Together final : public tbb::task {
   public:
    explicit Together(long* leaves) : leaves_(leaves) {}
    tbb::task* execute() override {
      *leaves_ = below[0] + below[1] + below[2];
      return nullptr;
    }

    long below[3] = {};

   private:
    long* const leaves_;
  };

  const int depth_;
  long* const leaves_;
};

class One final : public tbb::task {
 public:
  explicit One(long* count) : count_(count) {}
  tbb::task* execute() override {
    ++*count_;
    return nullptr;
  }

 private:
  long* const count_;
};

class Many final : public tbb::task {
 public:
  Many(int children, long* count) : children_(children), count_(count) {}
  tbb::task* execute() override {
    set_ref_count(children_ + 1);
    for (int i = 0; i < children_; ++i) spawn(*new (allocate_child()) One(count_));
    wait_for_all();
    return nullptr;
  }

 private:
  const int children_;
  long* const count_;
};

// The calls around a tree that is stolen.
struct Frame {
  void (*began)();
  void (*ended)();
  long result = 0;
};

class End final : public tbb::task {
 public:
  explicit End(Frame* frame) : frame_(frame) {}
  tbb::task* execute() override {
    frame_->ended();
    return nullptr;
  }

 private:
  Frame* const frame_;
};

class Begin final : public tbb::task {
 public:
  Begin(int n, Frame* frame) : n_(n), frame_(frame) {}
  tbb::task* execute() override {
    AnswerRequests();
    End& end = *new (allocate_continuation()) End(frame_);
    end.set_ref_count(1);
    tbb::task& tree = *new (end.allocate_child()) ContinuationFib(n_, &frame_->result);
    frame_->began();
    return &tree;
  }

 private:
  // A thread that found this when it was about to sleep has asked for a call when there is more,
  // and would answer that itself.
  void AnswerRequests() {
    constexpr int kChildren = 4;
    set_ref_count(kChildren + 1);
    for (int i = 0; i < kChildren; ++i) spawn(*new (allocate_child()) tbb::empty_task);
    wait_for_all();
  }

  const int n_;
  Frame* const frame_;
};

class Victim final : public tbb::task {
 public:
  Victim(int n, Frame* frame) : n_(n), frame_(frame) {}
  tbb::task* execute() override {
    set_ref_count(2);
    spawn(*new (allocate_child()) Begin(n_, frame_));
    // A wait would look for work, and so ask the thief to share its tasks.
    while (ref_count() > 1) std::this_thread::yield();
    wait_for_all();
    return nullptr;
  }

 private:
  const int n_;
  Frame* const frame_;
};

}  // namespace

long BlockingTree(int n) { return RunTree<BlockingFib>(n); }
long ContinuationTree(int n) { return RunTree<ContinuationFib>(n); }
long BypassTree(int n) { return RunTree<BypassFib>(n); }
long RecyclingTree(int n) { return RunTree<RecyclingFib>(n); }
long GroupTree(int n) {
  if (n < 2) return n;
  long first = 0;
  tbb::task_group group;
  group.run([&first, n] { first = GroupTree(n - 1); });
  const long second = GroupTree(n - 2);
  group.wait();
  return first + second;
}
int CallsOfFib(int n) { return n < 2 ? 1 : 1 + CallsOfFib(n - 1) + CallsOfFib(n - 2); }
long ThreeChildrenBlocking(int depth) { return RunTree<ThreeBlocking>(depth); }
long ThreeChildrenContinued(int depth) { return RunTree<ThreeContinued>(depth); }
long ManyChildren(int children) { return RunTree<Many>(children); }

long StolenTree(int n, void (*began)(), void (*ended)()) {
  Frame frame{began, ended};
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Victim(n, &frame));
  return frame.result;
}

}  // namespace filch
