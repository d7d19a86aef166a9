#include "tests/conformance/task_trees.h"

#include <tbb/task.h>

#include <thread>

namespace filch {
namespace {

class Blocking final : public tbb::task {
 public:
  Blocking(int n, long* result) : n_(n), result_(result) {}
  tbb::task* execute() override {
    if (n_ < 2) {
      *result_ = n_;
      return nullptr;
    }
    long x;
    long y;
    tbb::task& a = *new (allocate_child()) Blocking(n_ - 1, &x);
    tbb::task& b = *new (allocate_child()) Blocking(n_ - 2, &y);
    set_ref_count(3);
    spawn(b);
    spawn_and_wait_for_all(a);
    *result_ = x + y;
    return nullptr;
  }

 private:
  const int n_;
  long* const result_;
};

class Sum final : public tbb::task {
 public:
  explicit Sum(long* result) : result_(result) {}
  tbb::task* execute() override {
    *result_ = x + y;
    return nullptr;
  }

  long x = 0;
  long y = 0;

 private:
  long* const result_;
};

class Continuation final : public tbb::task {
 public:
  Continuation(int n, long* result) : n_(n), result_(result) {}
  tbb::task* execute() override {
    if (n_ < 2) {
      *result_ = n_;
      return nullptr;
    }
    Sum& sum = *new (allocate_continuation()) Sum(result_);
    tbb::task& a = *new (sum.allocate_child()) Continuation(n_ - 1, &sum.x);
    tbb::task& b = *new (sum.allocate_child()) Continuation(n_ - 2, &sum.y);
    sum.set_ref_count(2);
    spawn(b);
    spawn(a);
    return nullptr;
  }

 private:
  const int n_;
  long* const result_;
};

class Bypass final : public tbb::task {
 public:
  Bypass(int n, long* result) : n_(n), result_(result) {}
  tbb::task* execute() override {
    if (n_ < 2) {
      *result_ = n_;
      return nullptr;
    }
    Sum& sum = *new (allocate_continuation()) Sum(result_);
    tbb::task& a = *new (sum.allocate_child()) Bypass(n_ - 1, &sum.x);
    tbb::task& b = *new (sum.allocate_child()) Bypass(n_ - 2, &sum.y);
    sum.set_ref_count(2);
    spawn(b);
    return &a;
  }

 private:
  const int n_;
  long* const result_;
};

class Recycling final : public tbb::task {
 public:
  Recycling(int n, long* result) : n_(n), result_(result) {}
  tbb::task* execute() override {
    if (n_ < 2) {
      *result_ = n_;
      return nullptr;
    }
    Sum& sum = *new (allocate_continuation()) Sum(result_);
    tbb::task& b = *new (sum.allocate_child()) Recycling(n_ - 2, &sum.y);
    recycle_as_child_of(sum);
    n_ -= 1;
    result_ = &sum.x;
    sum.set_ref_count(2);
    spawn(b);
    return this;
  }

 private:
  int n_;
  long* result_;
};

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
    End& end = *new (allocate_continuation()) End(frame_);
    end.set_ref_count(1);
    tbb::task& tree = *new (end.allocate_child()) Continuation(n_, &frame_->result);
    frame_->began();
    return &tree;
  }

 private:
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

template <typename Root>
long Run(int size) {
  long result = 0;
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Root(size, &result));
  return result;
}

}  // namespace

long BlockingTree(int n) { return Run<Blocking>(n); }
long ContinuationTree(int n) { return Run<Continuation>(n); }
long BypassTree(int n) { return Run<Bypass>(n); }
long RecyclingTree(int n) { return Run<Recycling>(n); }
int CallsOfFib(int n) { return n < 2 ? 1 : 1 + CallsOfFib(n - 1) + CallsOfFib(n - 2); }
long ThreeChildrenBlocking(int depth) { return Run<ThreeBlocking>(depth); }
long ThreeChildrenContinued(int depth) { return Run<ThreeContinued>(depth); }
long ManyChildren(int children) { return Run<Many>(children); }

long StolenTree(int n, void (*began)(), void (*ended)()) {
  Frame frame{began, ended};
  tbb::task::spawn_root_and_wait(*new (tbb::task::allocate_root()) Victim(n, &frame));
  return frame.result;
}

}  // namespace filch
