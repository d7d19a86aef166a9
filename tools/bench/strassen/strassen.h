// C = A * B of square matrices with Strassen's seven products, which run at the
// same time.  The unit is a whole product.
//
// `size` is a power of two.
#ifndef FILCH_TOOLS_BENCH_STRASSEN_STRASSEN_H_
#define FILCH_TOOLS_BENCH_STRASSEN_STRASSEN_H_

#include <malloc.h>

#include <array>
#include <cstddef>
#include <memory>

#include "tools/bench/matmul/matmul.h"

namespace bench {

constexpr long kStrassenLeafSize = 64;

// to = a + sign * b
inline void AddSquares(const Square& to, const Square& a, double sign, const Square& b) {
  for (long i = 0; i < to.size; ++i) {
    for (long j = 0; j < to.size; ++j) {
      to.data[i * to.stride + j] = a.data[i * a.stride + j] + sign * b.data[i * b.stride + j];
    }
  }
}

// The memory of one product: both factors and the result.
class Product {
 public:
  explicit Product(long size)
      : size_(size), memory_(new double[static_cast<std::size_t>(3 * size * size)]) {}
  Square Part(int number) const { return {memory_.get() + number * size_ * size_, size_, size_}; }

 private:
  long size_;
  std::unique_ptr<double[]> memory_;
};

// multiply(c, a, b) with seven half-sized products; for_each_of_seven(f) calls f(0)
// to f(6), at the same time if it likes, and waits.
template <typename Multiply, typename ForEachOfSeven>
void MultiplyStrassen(const Square& c, const Square& a, const Square& b, Multiply multiply,
                      ForEachOfSeven for_each_of_seven) {
  if (c.size <= kStrassenLeafSize) {
    for (long i = 0; i < c.size; ++i) {
      for (long j = 0; j < c.size; ++j) c.data[i * c.stride + j] = 0;
    }
    MultiplyLeaf(c, a, b);
    return;
  }
  // What each factor is made of: a quadrant, or one plus or minus another.
  struct Factor {
    int quadrant;
    double sign;
    int other;
  };
  struct Factors {
    Factor left;
    Factor right;
  };
  static constexpr std::array<Factors, 7> kFactors = {{
      {{0, 1, 3}, {0, 1, 3}},
      {{2, 1, 3}, {0, 0, 0}},
      {{0, 0, 0}, {1, -1, 3}},
      {{3, 0, 0}, {2, -1, 0}},
      {{0, 1, 1}, {3, 0, 0}},
      {{2, -1, 0}, {0, 1, 1}},
      {{1, -1, 3}, {2, 1, 3}},
  }};
  const auto quadrant = [](const Square& whole, int number) {
    return whole.Quadrant(number / 2, number % 2);
  };
  const long half = c.size / 2;
  std::array<std::unique_ptr<Product>, 7> products;
  for_each_of_seven([&](std::size_t i) {
    products[i] = std::make_unique<Product>(half);
    const Product& product = *products[i];
    const auto make = [&](const Square& to, const Square& whole, const Factor& factor) {
      if (factor.sign == 0) return quadrant(whole, factor.quadrant);
      AddSquares(to, quadrant(whole, factor.quadrant), factor.sign, quadrant(whole, factor.other));
      return to;
    };
    multiply(product.Part(2), make(product.Part(0), a, kFactors[i].left),
             make(product.Part(1), b, kFactors[i].right));
  });
  // Each quadrant of C is a sum of products.
  const auto m = [&](std::size_t number) { return products[number]->Part(2); };
  const auto sum = [&](int number, std::size_t first, double sign, std::size_t second) {
    AddSquares(quadrant(c, number), m(first), sign, m(second));
  };
  const auto add = [&](int number, double sign, std::size_t product) {
    AddSquares(quadrant(c, number), quadrant(c, number), sign, m(product));
  };
  sum(0, 0, 1, 3), add(0, -1, 4), add(0, 1, 6);
  sum(1, 2, 1, 4);
  sum(2, 1, 1, 3);
  sum(3, 0, -1, 1), add(3, 1, 2), add(3, 1, 5);
}

// As TimeProduct, with an allocator that keeps its pages.  It would give the products'
// back at the end of each run or not, depending on which thread's lie last, and faulting
// them in again takes several times as long as the arithmetic.
template <typename Multiply>
void TimeStrassen(Run& run, Multiply multiply) {
  constexpr int kNever = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kNever);
  mallopt(M_TRIM_THRESHOLD, kNever);
  TimeProduct(run, multiply);
}

}  // namespace bench

#endif  // FILCH_TOOLS_BENCH_STRASSEN_STRASSEN_H_
