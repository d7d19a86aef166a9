// SingleBranch: a branch whose parts call one function.
#ifndef FILCH_TESTS_POOL_SINGLE_BRANCH_H_
#define FILCH_TESTS_POOL_SINGLE_BRANCH_H_

#include <exception>

#include "filch/pool/branch.h"
#include "filch/pool/credit_latch.h"

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

}  // namespace filch

#endif  // FILCH_TESTS_POOL_SINGLE_BRANCH_H_
