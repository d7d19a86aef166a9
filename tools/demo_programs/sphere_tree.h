// SphereTree: which of many spheres a ray meets first.
//
// A bounding volume hierarchy, split at the median of the longest axis.  It is
// immutable once built.
// Any thread: Nearest, Blocked.
//
// Example:
//   const SphereTree tree(std::move(spheres));
//   const SphereTree::Hit hit = tree.Nearest(ray);
//   if (hit.sphere != nullptr) ...
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_SPHERE_TREE_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_SPHERE_TREE_H_

#include <cstddef>
#include <vector>

#include "tools/demo_programs/vec3.h"

namespace demo {

struct Ray {
  Vec3 origin;
  Vec3 direction;  // of length 1
};

struct Sphere {
  Vec3 center;
  double radius = 1;
  int level = 0;  // chooses the material
};

// The distance at which the ray enters the sphere, or leaves it if it starts
// inside; infinite if it misses.
double Distance(const Ray& ray, const Sphere& sphere);

class SphereTree {
 public:
  struct Hit {
    const Sphere* sphere = nullptr;
    double distance = 0;
  };

  explicit SphereTree(std::vector<Sphere> spheres);

  Hit Nearest(const Ray& ray) const;
  // Whether the ray meets anything at all; cheaper than Nearest.
  bool Blocked(const Ray& ray) const;

 private:
  struct Node {
    Vec3 low;
    Vec3 high;
    std::size_t begin = 0;  // of the spheres of a leaf
    std::size_t end = 0;    // equal to begin: not a leaf
    std::size_t right = 0;  // the left child is the next node
  };

  std::size_t Build(std::size_t begin, std::size_t end);
  template <typename Visitor>
  void Visit(const Ray& ray, Visitor visitor) const;

  std::vector<Sphere> spheres_;
  std::vector<Node> nodes_;
};

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_SPHERE_TREE_H_
