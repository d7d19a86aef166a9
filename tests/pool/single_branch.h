// SingleBranch: a branch whose parts call one function.
#ifndef FILCH_TESTS_POOL_SINGLE_BRANCH_H_
#define FILCH_TESTS_POOL_SINGLE_BRANCH_H_

#include <exception>

#include "filch/pool/branch.h"
#include "filch/pool/credit_latch.h"
#include "filch/pool/current_slot.h"

namespace filch {

// f(branch); what it throws on a taker is left in `*kept`.
template <typename F>
class SingleBranch : public pool_internal::Branch {
 public:
  SingleBranch(pool_internal::CreditLatch& latch, const F& f, std::exception_ptr* kept = nullptr)
      : Branch(latch), f_(f), kept_(kept) {}
  SingleBranch(const SingleBranch& other, pool_internal::Credit credit)
      : Branch(other, credit), f_(other.f_), kept_(other.kept_) {}

  void Call() { f_(*this); }
  void KeepException() { *kept_ = std::current_exception(); }

 private:
  const F& f_;
  std::exception_ptr* kept_;
};

struct OnePart {
  template <typename Own>
  void Run(Own& own) {
    own.Call();
  }
};

// Forks a part that calls f(branch), with left() beside it, and waits for both.
template <typename F, typename Left>
void ForkAndAwait(const F& f, const Left& left, std::exception_ptr* kept = nullptr) {
  auto& slot = pool_internal::CurrentSlot();
  pool_internal::CreditLatch latch;
  SingleBranch<F> branch(latch, f, kept);
  OnePart part;
  try {
    pool_internal::ForkOff(slot, branch, left, part);
  } catch (...) {
    branch.AwaitAll(slot);
    throw;
  }
  branch.AwaitAll(slot);
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_SINGLE_BRANCH_H_
