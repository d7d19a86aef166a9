// Programs with a short loop in what they hand over, for user_loops_test.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <execution>
#include <functional>
#include <numeric>

namespace {

using Range = tbb::blocked_range<long>;

double Sum(double a, double b) { return a + b; }

struct Squares {
  const double* in;
  double* out;

  void operator()(const Range& range) const {
    for (long i = range.begin(); i != range.end(); ++i) out[i] = in[i] * in[i];
  }
};

struct SumOfSquares {
  explicit SumOfSquares(const double* its_in) : in(its_in) {}
  SumOfSquares(SumOfSquares& other, tbb::split) : in(other.in) {}

  void operator()(const Range& range) {
    double s = sum;
    for (long i = range.begin(); i != range.end(); ++i) s += in[i] * in[i];
    sum = s;
  }
  void join(const SumOfSquares& other) { sum += other.sum; }

  const double* in;
  double sum = 0;
};

}  // namespace

void LoopsWithPartitioners(const double* in, double* out, long n,
                           tbb::affinity_partitioner& affinity) {
  const auto squares = [=](const Range& range) {
    for (long i = range.begin(); i != range.end(); ++i) out[i] = in[i] * in[i];
  };
  tbb::parallel_for(Range(0, n), squares);
  tbb::parallel_for(Range(0, n), squares, affinity);
  tbb::parallel_for(Range(0, n), squares, tbb::static_partitioner());
  tbb::parallel_for(Range(0, n, 1000), squares, tbb::simple_partitioner());
}

void LoopsWithBodies(const double* in, double* out, long n, tbb::task_group_context& context) {
  tbb::parallel_for(Range(0, n), Squares{in, out});
  tbb::parallel_for(
      Range(0, n),
      [&](const Range& range) {
        for (long i = range.begin(); i < range.end(); ++i) out[i] = in[i] * in[i];
      },
      context);
  tbb::parallel_for(0L, n, [=](long i) { out[i] = in[i] * in[i]; });
  tbb::parallel_for(0L, n, [=](long y) {
    double sum = 0;
    for (long i = 0; i != n; ++i) sum += in[y * n + i] * in[i];
    out[y] = sum;
  });
  tbb::parallel_for(tbb::blocked_range2d<long>(0, n, 0, n),
                    [=](const tbb::blocked_range2d<long>& range) {
                      for (long y = range.rows().begin(); y != range.rows().end(); ++y) {
                        for (long i = range.cols().begin(); i != range.cols().end(); ++i) {
                          out[y * n + i] = in[i] * in[y];
                        }
                      }
                    });
}

double Reductions(const double* in, long n) {
  const auto sum_of_squares = [=](const Range& range, double sum) {
    for (long i = range.begin(); i != range.end(); ++i) sum += in[i] * in[i];
    return sum;
  };
  SumOfSquares body(in);
  tbb::parallel_reduce(Range(0, n), body);
  return body.sum + tbb::parallel_reduce(Range(0, n), 0.0, sum_of_squares, Sum) +
         tbb::parallel_reduce(Range(0, n), 0.0, sum_of_squares, Sum, tbb::static_partitioner()) +
         tbb::parallel_deterministic_reduce(Range(0, n, 1000), 0.0, sum_of_squares, Sum);
}

double Scan(const double* in, double* out, long n) {
  return tbb::parallel_scan(
      Range(0, n), 0.0,
      [=](const Range& range, double sum, bool is_final) {
        for (long i = range.begin(); i != range.end(); ++i) {
          sum += in[i] * in[i];
          if (is_final) out[i] = sum;
        }
        return sum;
      },
      Sum);
}

void Elements(const double** begin, const double** end, double* out, long n) {
  tbb::parallel_for_each(begin, end, [=](const double* in) { Squares{in, out}(Range(0, n)); });
}

void Tasks(const double* in, double* out, long n, tbb::task_arena& arena) {
  const auto squares = [=] {
    for (long i = 0; i != n; ++i) out[i] = in[i] * in[i];
  };
  tbb::task_group group;
  group.run(squares);
  group.run_and_wait(squares);
  tbb::parallel_invoke(squares, squares);
  arena.execute(squares);
  arena.enqueue(squares);
  tbb::this_task_arena::isolate(squares);
}

double Policies(const double* in, double* out, long n) {
  std::transform(std::execution::par, in, in + n, out, [](double x) { return x * x; });
  std::for_each(std::execution::par, out, out + n, [](double& x) { x = x * x; });
  return std::transform_reduce(std::execution::par, in, in + n, 0.0, std::plus<>(),
                               [](double x) { return x * x; });
}
