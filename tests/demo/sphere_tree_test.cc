#include "tools/demo_programs/sphere_tree.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace demo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(SphereTreeTest, MeasuresTheDistanceToASphere) {
  const Sphere sphere{{0, 0, 5}, 2, 0};
  EXPECT_DOUBLE_EQ(Distance({{0, 0, 0}, {0, 0, 1}}, sphere), 3);
  EXPECT_DOUBLE_EQ(Distance({{0, 0, 5}, {0, 0, 1}}, sphere), 2);  // from inside
  EXPECT_EQ(Distance({{0, 0, 0}, {0, 0, -1}}, sphere), kInfinity);
  EXPECT_EQ(Distance({{0, 3, 0}, {0, 0, 1}}, sphere), kInfinity);
}

TEST(SphereTreeTest, AnEmptyTreeMeetsNothing) {
  const SphereTree tree({});
  EXPECT_EQ(tree.Nearest({{0, 0, 0}, {0, 0, 1}}).sphere, nullptr);
  EXPECT_FALSE(tree.Blocked({{0, 0, 0}, {0, 0, 1}}));
}

TEST(SphereTreeTest, FindsWhatLookingAtEverySphereFinds) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-1, 1);
  for (const int count : {1, 2, 4, 5, 9, 100, 1000}) {
    std::vector<Sphere> spheres;
    spheres.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      spheres.push_back({{place(random), place(random), place(random)},
                         0.02 + 0.2 / std::sqrt(count) * std::abs(place(random)),
                         i});
    }
    const SphereTree tree(spheres);
    for (int i = 0; i < 500; ++i) {
      Ray ray{{2 * place(random), 2 * place(random), 2 * place(random)},
              Unit({place(random), place(random), place(random)})};
      if (i % 5 == 0) ray.direction = {0, 0, i % 2 == 0 ? 1.0 : -1.0};  // along an axis
      double expected = kInfinity;
      for (const Sphere& sphere : spheres) expected = std::min(expected, Distance(ray, sphere));
      const SphereTree::Hit hit = tree.Nearest(ray);
      ASSERT_EQ(hit.distance, expected);
      ASSERT_EQ(hit.sphere != nullptr, expected < kInfinity);
      ASSERT_EQ(tree.Blocked(ray), expected < kInfinity);
    }
  }
}

}  // namespace
}  // namespace demo
