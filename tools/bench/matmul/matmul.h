// C += A * B of square matrices by quadrants: four products at the same time, and
// then the four others.  The unit is a whole product.
//
// `size` is a power of two.
#ifndef FILCH_TOOLS_BENCH_MATMUL_MATMUL_H_
#define FILCH_TOOLS_BENCH_MATMUL_MATMUL_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tools/bench/harness/run.h"

namespace bench {

constexpr long kLeafSize = 32;

// A square part of a matrix whose rows are `stride` elements apart.
struct Square {
  double* data;
  std::ptrdiff_t stride;
  long size;

  Square Quadrant(int row, int column) const {
    const long half = size / 2;
    return {data + row * half * stride + column * half, stride, half};
  }
};

inline void MultiplyLeaf(const Square& c, const Square& a, const Square& b) {
  for (long i = 0; i < c.size; ++i) {
    for (long k = 0; k < c.size; ++k) {
      const double factor = a.data[i * a.stride + k];
      for (long j = 0; j < c.size; ++j) {
        c.data[i * c.stride + j] += factor * b.data[k * b.stride + j];
      }
    }
  }
}

// Multiply(c, a, b) by quadrants.  fork(f, g, h, i) runs all four and waits.
template <typename Multiply, typename Fork>
void MultiplyQuadrants(const Square& c, const Square& a, const Square& b, Multiply multiply,
                       Fork fork) {
  for (int k = 0; k < 2; ++k) {
    const auto part = [&, k](int i, int j) {
      return [&c, &a, &b, multiply, i, j, k] {
        multiply(c.Quadrant(i, j), a.Quadrant(i, k), b.Quadrant(k, j));
      };
    };
    fork(part(0, 0), part(0, 1), part(1, 0), part(1, 1));
  }
}

// Small integers, so that every order of additions gives the same sum.
class Matrix {
 public:
  Matrix(long size, int factor) : size_(size), elements_(static_cast<std::size_t>(size * size)) {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      elements_[i] = static_cast<double>(i * static_cast<std::size_t>(factor) % 7);
    }
  }
  Square All() { return {elements_.data(), size_, size_}; }
  void Clear() { elements_.assign(elements_.size(), 0.0); }
  // Tells apart results that differ in one element.
  std::int64_t Checksum() const {
    std::uint64_t sum = 0;
    for (const double element : elements_) {
      sum = sum * 31 + static_cast<std::uint64_t>(element);
    }
    return static_cast<std::int64_t>(sum);
  }

 private:
  long size_;
  std::vector<double> elements_;
};

template <typename Multiply>
void TimeProduct(Run& run, Multiply multiply) {
  Matrix a(run.size(), 3);
  Matrix b(run.size(), 5);
  Matrix c(run.size(), 0);
  run.Time(
      1e6, [&] { c.Clear(); }, [&] { multiply(c.All(), a.All(), b.All()); });
  run.Answer(c.Checksum());
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_MATMUL_MATMUL_H_
