// Scan: what a parallel scan does with its units, without the type of its sums.
//
// The order of work in a scan (ScanLoop, TwoPassScan) is the same whatever is summed, and is
// compiled once.  So a sum is an object of which only the scan that made it knows more.
//
// Scheduler-internal; RunScan makes one of a program's scan (ScanOf).
#ifndef FILCH_POOL_SCAN_H_
#define FILCH_POOL_SCAN_H_

#include <memory>
#include <utility>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/loop_kind.h"

namespace filch {
namespace pool_internal {

class Scan {
 public:
  class Sum {
   public:
    Sum(const Sum&) = delete;
    Sum& operator=(const Sum&) = delete;
    virtual ~Sum() = default;

   protected:
    Sum() = default;
  };

  // Of loops with such a scan.
  LoopKind& kind() const { return kind_; }

  // Any number of threads at once, with different sums.  They throw what the program throws.
  //
  // The sum of nothing.
  virtual std::unique_ptr<Sum> MakeSum() = 0;
  // Sums these units, which follow those of `sum` if it has any, and which are scanned later.
  virtual void Add(UnitInterval block, Sum& sum) = 0;
  // Scans these units for good.  `sum` is that of everything left of them, and then includes them.
  virtual void Finish(UnitInterval block, Sum& sum) = 0;
  // `right` follows `left`, which becomes the sum of both; `right` becomes what `left` was.
  virtual void Chain(Sum& left, Sum& right) = 0;

 protected:
  explicit Scan(LoopKind& kind) : kind_(kind) {}
  ~Scan() = default;

 private:
  LoopKind& kind_;
};

// That of a program, or what stands for it; RunScan says what it has.
template <typename Typed>
class ScanOf final : public Scan {
 public:
  using Value = typename Typed::Sum;

  class SumOfValue final : public Sum {
   public:
    explicit SumOfValue(Value sum) : value(std::move(sum)) {}

    Value value;
  };

  explicit ScanOf(Typed& scan) : Scan(loop_kind<Typed>), scan_(scan) {}

  std::unique_ptr<Sum> MakeSum() override { return std::make_unique<SumOfValue>(scan_.MakeSum()); }
  void Add(UnitInterval block, Sum& sum) override { scan_.Add(block, ValueOf(sum)); }
  void Finish(UnitInterval block, Sum& sum) override { scan_.Finish(block, ValueOf(sum)); }
  void Chain(Sum& left, Sum& right) override {
    Value both = scan_.Combine(ValueOf(left), std::move(ValueOf(right)));
    ValueOf(right) = std::exchange(ValueOf(left), std::move(both));
  }

 private:
  static Value& ValueOf(Sum& sum) { return static_cast<SumOfValue&>(sum).value; }

  Typed& scan_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_SCAN_H_
