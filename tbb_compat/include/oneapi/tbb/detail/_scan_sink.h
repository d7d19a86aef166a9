// ScanSink: what is done with the parts of a range that is scanned.
//
// The sink of detail/_cut.h for parallel_scan. A part whose left neighbours are
// all done is scanned at once, for good. A part that another thread takes
// earlier is scanned twice: first for its sum alone, and for good when what
// lies left of it is known. So a scan that nobody joins passes once over the
// range.
#ifndef FILCH_TBB_COMPAT_DETAIL_SCAN_SINK_H_
#define FILCH_TBB_COMPAT_DETAIL_SCAN_SINK_H_

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "_config.h"
#include "_range_common.h"
#include "_task_group_context.h"
#include "filch/pool/join.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Tells a body that only the sum of the part is wanted.
struct pre_scan_tag {
  static bool is_final_scan() { return false; }
  operator bool() const { return is_final_scan(); }
};

// Tells a body that everything left of the part is in it.
struct final_scan_tag {
  static bool is_final_scan() { return true; }
  operator bool() const { return is_final_scan(); }
};

// What was scanned for its sum: some parts in a row, or two neighbours.
template <typename Range, typename Body>
struct Summed {
  explicit Summed(Body& like) : body(std::make_unique<Owned>(like)), sum(&body->body) {}
  // The left one of two: takes over the parts that there are.
  Summed(Summed&& whole) noexcept
      : body(std::move(whole.body)), sum(whole.sum), parts(std::move(whole.parts)) {}

  struct Owned {
    explicit Owned(Body& like) : body(like, split()) {}
    Body body;
  };

  std::unique_ptr<Owned> body;
  Body* sum;  // of all below; somebody's body
  std::vector<Range> parts;
  std::unique_ptr<Summed> left;
  std::unique_ptr<Summed> right;
};

template <typename Range, typename Body>
class ScanSink {
 public:
  using SummedParts = Summed<Range, Body>;

  // Scans for good, into the body.
  ScanSink(Body& body, filch::Context& context) : body_(&body), context_(context) {}

  bool cancelled() const { return context_.IsCancelled(); }

  void Run(Range& part) {
    RunGuarded(context_, [&] {
      if (summed_ == nullptr) {
        std::invoke(*body_, part, final_scan_tag());
      } else {
        summed_->parts.push_back(part);
        std::invoke(*summed_->sum, part, pre_scan_tag());
      }
    });
  }

  template <typename Left, typename Right>
  void Fork(const Left& left, const Right& right) {
    if (summed_ == nullptr) {
      ForkFinal(left, right);
    } else {
      ForkSum(left, right);
    }
  }

 private:
  // Scans for the sum alone.
  ScanSink(SummedParts& summed, filch::Context& context) : summed_(&summed), context_(context) {}

  template <typename Left, typename Right>
  void ForkFinal(const Left& left, const Right& right) {
    std::atomic<bool> left_done{false};
    std::unique_ptr<SummedParts> summed;
    filch::Join(
        [&] {
          left(*this);
          left_done.store(true, std::memory_order_release);  // R2: publishes the left part's body
        },
        [&] {
          if (left_done.load(std::memory_order_acquire)) {  // R2: everything left is in the body
            right(*this);
            return;
          }
          RunGuarded(context_, [&] { summed = std::make_unique<SummedParts>(*body_); });
          ScanSink sink(*summed, context_);
          right(sink);
        });
    if (summed == nullptr || cancelled()) return;
    Body* const last = Finish(*summed, *body_);
    if (!cancelled()) RunGuarded(context_, [&] { body_->assign(*last); });
  }

  template <typename Left, typename Right>
  void ForkSum(const Left& left, const Right& right) {
    RunGuarded(context_, [&] {
      summed_->right = std::make_unique<SummedParts>(*summed_->sum);
      summed_->left = std::make_unique<SummedParts>(std::move(*summed_));
    });
    const auto descend = [this](const auto& work, SummedParts& part) {
      ScanSink sink(part, context_);
      work(sink);
    };
    filch::Join([&] { descend(left, *summed_->left); }, [&] { descend(right, *summed_->right); });
    if (cancelled()) return;
    // The right sum alone is of no use to anybody.
    summed_->sum = summed_->right->sum;
    RunGuarded(context_, [&] { summed_->sum->reverse_join(*summed_->left->sum); });
  }

  // Scans for good what was summed, given the body for everything left of it;
  // returns the body that has seen the last part.
  Body* Finish(SummedParts& summed, Body& before) {
    if (cancelled()) return &before;
    if (summed.left == nullptr) {
      for (Range& part : summed.parts) {
        RunGuarded(context_, [&] { std::invoke(before, part, final_scan_tag()); });
      }
      return &before;
    }
    Body& between = *summed.left->sum;
    RunGuarded(context_, [&] { between.reverse_join(before); });
    Body* last = &between;
    filch::Join([&] { Finish(*summed.left, before); },
                [&] { last = Finish(*summed.right, between); });
    return last;
  }

  Body* body_ = nullptr;
  SummedParts* summed_ = nullptr;
  filch::Context& context_;
};

// The body of the functional form.
template <typename Range, typename Value, typename Scan, typename ReverseJoin>
class ValueScanBody {
 public:
  ValueScanBody(const Value& identity, const Scan& scan, const ReverseJoin& reverse_join)
      : identity_(identity), scan_(scan), reverse_join_(reverse_join), value_(identity) {}
  ValueScanBody(ValueScanBody& other, split)
      : identity_(other.identity_),
        scan_(other.scan_),
        reverse_join_(other.reverse_join_),
        value_(other.identity_) {}
  ValueScanBody(const ValueScanBody&) = delete;
  ValueScanBody& operator=(const ValueScanBody&) = delete;

  template <typename Tag>
  void operator()(Range& part, Tag) {
    value_ = std::invoke(scan_, std::as_const(part), std::move(value_), Tag::is_final_scan());
  }
  // The left value is needed for the left part, too.
  void reverse_join(ValueScanBody& left) {
    value_ = std::invoke(reverse_join_, std::as_const(left.value_), std::move(value_));
  }
  void assign(ValueScanBody& other) { value_ = std::move(other.value_); }
  Value&& result() { return std::move(value_); }

 private:
  const Value& identity_;
  const Scan& scan_;
  const ReverseJoin& reverse_join_;
  Value value_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_SCAN_SINK_H_
