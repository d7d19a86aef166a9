// Scene: a fractal of mirroring spheres over wet marble at dusk, ray-traced.
//
// Every pixel is a pure function of its place, so any order and any number of
// threads give the same picture, byte for byte.  The cost of a pixel varies by
// three orders of magnitude: the sky is nearly free, the gaps between the
// spheres reflect one another many times.
// Any thread: Pixel.
//
// Example:
//   const Scene scene(960, 540);
//   const Rgb sky = scene.Pixel(0, 0);
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_SCENE_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_SCENE_H_

#include <array>
#include <cstdint>

#include "tools/demo_programs/sphere_tree.h"
#include "tools/demo_programs/vec3.h"

namespace demo {

using Rgb = std::array<std::uint8_t, 3>;

class Scene {
 public:
  Scene(int width, int height);

  // x from the left, y from the top.
  Rgb Pixel(int x, int y) const;

 private:
  struct Surface;

  Ray RayThrough(double x, double y) const;
  Vec3 Sample(int x, int y, int sample) const;
  Vec3 Trace(Ray ray, std::uint64_t noise) const;
  bool Meet(const Ray& ray, Surface* surface) const;

  const int width_;
  const int height_;
  const SphereTree spheres_;
  Vec3 eye_;
  Vec3 forward_;
  Vec3 right_;
  Vec3 up_;
};

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_SCENE_H_
