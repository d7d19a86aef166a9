// BodyScan: a scan by bodies on the pool's loop.
//
// The program's own body scans for good from the left end on. A block that is
// taken before everything left of it is summed has a body that is split from it;
// when that has been joined to the body that has seen everything left of the
// block, it is the one with which the scan goes on, and the other scans the block.
#ifndef FILCH_TBB_COMPAT_DETAIL_BODY_SCAN_H_
#define FILCH_TBB_COMPAT_DETAIL_BODY_SCAN_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "../blocked_range.h"
#include "../partitioner.h"
#include "_config.h"
#include "_exception.h"
#include "_parts.h"
#include "_range_common.h"
#include "_run_guarded.h"
#include "_split_body.h"
#include "filch/partitioner/split_policy.h"
#include "filch/partitioner/unit_interval.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/run_scan.h"
#include "filch/topology/catch_all.h"

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

// A Scan of filch::RunScan. ScanUnits: scan_units(body, units, tag).
template <typename Body, typename ScanUnits>
class BodyScan {
 public:
  // The program's body, or one that was split from it.
  class Sum {
   public:
    explicit Sum(Body& body) : body_(std::addressof(body)) {}
    explicit Sum(std::unique_ptr<SplitBody<Body>> split)
        : split_(std::move(split)), body_(std::addressof(split_->body())) {}
    Body& body() { return *body_; }

   private:
    std::unique_ptr<SplitBody<Body>> split_;
    Body* body_;
  };

  BodyScan(Body& body, const ScanUnits& scan_units) : body_(body), scan_units_(scan_units) {}

  // Without a body there is no sum, so everybody hears of what this throws.
  Sum MakeSum() {
    FILCH_TRY { return Sum(std::make_unique<SplitBody<Body>>(body_)); }
    FILCH_CATCH_ALL {
      r1::NoteException();
      FILCH_RETHROW;
    }
  }
  void Add(filch::UnitInterval block, Sum& sum) {
    d1::RunGuarded([&] { scan_units_(sum.body(), block, pre_scan_tag()); });
  }
  void Finish(filch::UnitInterval block, Sum& sum) {
    d1::RunGuarded([&] { scan_units_(sum.body(), block, final_scan_tag()); });
  }
  Sum Combine(Sum& left, Sum right) {
    d1::RunGuarded([&] { right.body().reverse_join(left.body()); });
    return right;
  }

 private:
  Body& body_;
  const ScanUnits& scan_units_;
};

// Scans `units` units into `body`.
template <typename Body, typename ScanUnits>
void ScanWith(filch::Context& context, Body& body, std::uint32_t units,
              const ScanUnits& scan_units) {
  using Scan = BodyScan<Body, ScanUnits>;
  Scan scan(body, scan_units);
  auto all = filch::RunScan(scan, typename Scan::Sum(body), units, context);
  if (std::addressof(all.body()) == std::addressof(body) || context.IsCancelled()) return;
  d1::RunGuarded(context, [&] { body.assign(all.body()); });
}

inline filch::SimpleSplit ScanPolicy(const simple_partitioner&) { return {}; }
// As many parts as keep threads of different speed busy.
inline filch::StaticSplit ScanPolicy(const auto_partitioner&) {
  return filch::StaticSplit(Concurrency() * filch::kPartsToRemember);
}

// A range of any kind: it is cut first.
template <typename Range, typename Body, typename Partitioner>
void RunScan(filch::Context& context, const Range& range, Body& body,
             const Partitioner& partitioner) {
  std::vector<Range> parts = d1::PartsOf(context, range, d1::ScanPolicy(partitioner));
  if (context.IsCancelled()) return context.Rethrow();
  d1::ScanWith(context, body, static_cast<std::uint32_t>(parts.size()),
               [&context, &parts](Body& b, filch::UnitInterval units, auto tag) {
                 // The loop asks for many units at once.
                 for (std::uint32_t i = units.begin; i != units.end && !context.IsCancelled(); ++i)
                   std::invoke(b, parts[i], tag);
               });
}

// A blocked_range of whatever Value is an interval of offsets.
template <typename Value, typename Body, typename Partitioner>
void RunScan(filch::Context& context, const blocked_range<Value>& range, Body& body,
             const Partitioner& partitioner) {
  const auto cut = d1::OffsetCut(range, partitioner);
  d1::ScanWith(context, body, cut.units(), [&](Body& b, filch::UnitInterval units, auto tag) {
    cut.ForParts(units, [&](std::uint64_t from, std::uint64_t to) {
      if (context.IsCancelled()) return;  // as above
      blocked_range<Value> part = range.part(from, to);
      std::invoke(b, part, tag);
    });
  });
}

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
  void operator()(Range& part, Tag tag) {
    // The tag itself, which most take as a bool.
    if constexpr (std::is_invocable_v<const Scan&, const Range&, Value, Tag>) {
      value_ = std::invoke(scan_, std::as_const(part), std::move(value_), tag);
    } else {
      value_ = std::invoke(scan_, std::as_const(part), value_, tag);
    }
  }
  // The left value is needed for the left part, too.
  void reverse_join(ValueScanBody& left) {
    if constexpr (std::is_invocable_v<const ReverseJoin&, const Value&, Value>) {
      value_ = std::invoke(reverse_join_, std::as_const(left.value_), std::move(value_));
    } else {
      value_ = std::invoke(reverse_join_, left.value_, value_);
    }
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

#endif  // FILCH_TBB_COMPAT_DETAIL_BODY_SCAN_H_
