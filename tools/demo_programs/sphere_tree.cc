#include "tools/demo_programs/sphere_tree.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace demo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Rays start on surfaces; what lies nearer is the surface itself.
constexpr double kNearest = 1e-6;
constexpr std::size_t kLeafSize = 4;
// Halving leaves: deeper than any tree whose indices fit 64 bits.
constexpr std::size_t kDeepest = 64;

double Axis(const Vec3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

Vec3 Least(const Vec3& a, const Vec3& b) {
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
}

Vec3 Greatest(const Vec3& a, const Vec3& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
}

// The distance at which a line enters the box, or infinity if it misses it or
// has left it behind.  A zero in the direction gives infinities that compare
// as they should.
double BoxDistance(const Vec3& origin, const Vec3& inverse, const Vec3& low, const Vec3& high) {
  const Vec3 a = (low - origin) * inverse;
  const Vec3 b = (high - origin) * inverse;
  const Vec3 enter = Least(a, b);
  const Vec3 leave = Greatest(a, b);
  const double first = std::max(std::max(enter.x, enter.y), enter.z);
  const double last = std::min(std::min(leave.x, leave.y), leave.z);
  if (last < std::max(first, 0.0)) return kInfinity;
  return first;
}

}  // namespace

double Distance(const Ray& ray, const Sphere& sphere) {
  const Vec3 to_center = sphere.center - ray.origin;
  const double along = Dot(to_center, ray.direction);
  const double reach = along * along - Dot(to_center, to_center) + sphere.radius * sphere.radius;
  if (reach < 0) return kInfinity;
  const double half_chord = std::sqrt(reach);
  if (along - half_chord > kNearest) return along - half_chord;
  return along + half_chord > kNearest ? along + half_chord : kInfinity;
}

SphereTree::SphereTree(std::vector<Sphere> spheres) : spheres_(std::move(spheres)) {
  nodes_.reserve(spheres_.size());
  if (!spheres_.empty()) Build(0, spheres_.size());
}

std::size_t SphereTree::Build(std::size_t begin, std::size_t end) {
  Node node;
  node.low = {kInfinity, kInfinity, kInfinity};
  node.high = {-kInfinity, -kInfinity, -kInfinity};
  for (std::size_t i = begin; i < end; ++i) {
    const Vec3 extent{spheres_[i].radius, spheres_[i].radius, spheres_[i].radius};
    node.low = Least(node.low, spheres_[i].center - extent);
    node.high = Greatest(node.high, spheres_[i].center + extent);
  }
  const std::size_t index = nodes_.size();
  nodes_.push_back(node);
  if (end - begin <= kLeafSize) {
    nodes_[index].begin = begin;
    nodes_[index].end = end;
    return index;
  }
  const Vec3 size = node.high - node.low;
  const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [this](std::size_t i) {
    return spheres_.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::nth_element(at(begin), at(middle), at(end), [axis](const Sphere& a, const Sphere& b) {
    return Axis(a.center, axis) < Axis(b.center, axis);
  });
  Build(begin, middle);
  const std::size_t right = Build(middle, end);
  nodes_[index].right = right;
  return index;
}

// Calls visitor(sphere) for the spheres of every leaf whose box the ray enters
// before the distance that the visitor returned last; a negative one ends it.
template <typename Visitor>
void SphereTree::Visit(const Ray& ray, Visitor visitor) const {
  if (nodes_.empty()) return;
  const Vec3 inverse{1 / ray.direction.x, 1 / ray.direction.y, 1 / ray.direction.z};
  const auto enter = [&](std::size_t node) {
    return BoxDistance(ray.origin, inverse, nodes_[node].low, nodes_[node].high);
  };
  std::pair<double, std::size_t> stack[kDeepest + 1];
  std::size_t depth = 0;
  double limit = kInfinity;
  stack[depth++] = {enter(0), 0};
  while (depth > 0) {
    const auto [distance, index] = stack[--depth];
    if (!(distance < limit)) continue;
    const Node& node = nodes_[index];
    if (node.begin == node.end) {
      std::pair<double, std::size_t> near{enter(index + 1), index + 1};
      std::pair<double, std::size_t> far{enter(node.right), node.right};
      if (far.first < near.first) std::swap(near, far);
      stack[depth++] = far;
      stack[depth++] = near;
      continue;
    }
    for (std::size_t i = node.begin; i < node.end; ++i) {
      limit = visitor(spheres_[i]);
      if (limit < 0) return;
    }
  }
}

SphereTree::Hit SphereTree::Nearest(const Ray& ray) const {
  Hit hit;
  hit.distance = kInfinity;
  Visit(ray, [&](const Sphere& sphere) {
    const double distance = Distance(ray, sphere);
    if (distance < hit.distance) {
      hit.distance = distance;
      hit.sphere = &sphere;
    }
    return hit.distance;
  });
  return hit;
}

bool SphereTree::Blocked(const Ray& ray) const {
  bool blocked = false;
  Visit(ray, [&](const Sphere& sphere) {
    blocked = Distance(ray, sphere) < kInfinity;
    return blocked ? -1.0 : kInfinity;
  });
  return blocked;
}

}  // namespace demo
