#include "tools/demo_programs/scene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <vector>

namespace demo {

struct Scene::Surface {
  Vec3 point;
  Vec3 normal;
  Vec3 color;
  double mirror = 0;  // how much it reflects when looked at straight
  double matte = 1;   // how much of the light it scatters
};

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr int kLevels = 5;
constexpr int kBounces = 5;
// Samples of a pixel: a few everywhere, all of them where those few differ.
constexpr int kGrid = 3;
constexpr int kSamples = kGrid * kGrid;
constexpr int kProbes[] = {1, 3, 8};  // of the grid: spread over rows and columns
constexpr int kProbeCount = 3;
constexpr double kContrast = 0.06;

const Vec3 kSun = Unit({-0.70, 0.52, -0.40});
const Vec3 kSunColor{1.9, 1.32, 0.86};

// The spheres from the largest to the smallest.
constexpr Vec3 kLevelColors[kLevels] = {{0.98, 0.80, 0.46},
                                        {0.94, 0.46, 0.34},
                                        {0.72, 0.30, 0.58},
                                        {0.36, 0.42, 0.86},
                                        {0.50, 0.86, 0.92}};

// Nine smaller spheres sit on each one: six around its equator, three above.
void Grow(const Vec3& center, double radius, const Vec3& axis, int level,
          std::vector<Sphere>* spheres) {
  spheres->push_back({center, radius, level});
  if (level + 1 == kLevels) return;
  const Vec3 side = Unit(Cross(axis, std::abs(axis.y) < 0.9 ? Vec3{0, 1, 0} : Vec3{1, 0, 0}));
  const Vec3 other = Cross(axis, side);
  const double child = radius / 3;
  for (int i = 0; i < 9; ++i) {
    const double around = i < 6 ? i * kPi / 3 : (i - 6) * 2 * kPi / 3 + kPi / 6;
    const double above = i < 6 ? 0.0 : kPi / 3.1;
    const Vec3 out = (side * std::cos(around) + other * std::sin(around)) * std::cos(above) +
                     axis * std::sin(above);
    Grow(center + out * (radius + child), child, out, level + 1, spheres);
  }
}

std::vector<Sphere> Flake() {
  std::vector<Sphere> spheres;
  Grow({0, 1.16, 0}, 1, Unit({0.18, 1, 0.12}), 0, &spheres);
  return spheres;
}

std::uint64_t Scramble(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// From 0 to 1, by the upper bits.
double Fraction(std::uint64_t x) { return static_cast<double>(x >> 11) * 0x1p-53; }

Vec3 Sky(const Vec3& direction) {
  const double height = std::max(direction.y, 0.0);
  const Vec3 horizon{0.98, 0.50, 0.27};
  const Vec3 middle{0.36, 0.22, 0.40};
  const Vec3 zenith{0.03, 0.05, 0.17};
  const Vec3 base = height < 0.16 ? Mix(horizon, middle, std::pow(height / 0.16, 0.75))
                                  : Mix(middle, zenith, std::min((height - 0.16) / 0.42, 1.0));
  const double toward = std::max(Dot(direction, kSun), 0.0);
  const double glow = 0.45 * std::pow(toward, 10) + 0.5 * std::pow(toward, 90);
  const double disc = toward > 0.9993 ? 6.0 : 0.0;
  return base + kSunColor * (glow * 0.55 + disc);
}

// Marble tiles with darker veins; the pattern fades before it can flicker.
Vec3 Floor(const Vec3& point, double distance) {
  const bool light = (static_cast<long>(std::floor(point.x * 0.8 + 0.35)) +
                      static_cast<long>(std::floor(point.z * 0.8 + 0.2))) %
                         2 ==
                     0;
  const double vein = std::sin(3.1 * point.x + 2.3 * std::sin(1.7 * point.z) +
                               1.1 * std::sin(4.3 * point.x - 2.9 * point.z));
  const Vec3 tile =
      (light ? Vec3{0.30, 0.27, 0.27} : Vec3{0.030, 0.034, 0.055}) * (1 - 0.22 * vein * vein);
  return Mix(tile, {0.15, 0.13, 0.15}, 1 - std::exp(-distance * distance / 900));
}

// Compresses the range of light to what a screen shows.
std::uint8_t Tone(double light) {
  const double x = std::max(light, 0.0) * 0.92;
  const double filmic = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
  return static_cast<std::uint8_t>(std::lround(255 * std::pow(std::min(filmic, 1.0), 1 / 1.9)));
}

}  // namespace

Scene::Scene(int width, int height) : width_(width), height_(height), spheres_(Flake()) {
  eye_ = {1.7, 1.5, -4.4};
  forward_ = Unit(Vec3{0.0, 1.16, 0} - eye_);
  right_ = Unit(Cross({0, 1, 0}, forward_));
  up_ = Cross(forward_, right_);
}

Ray Scene::RayThrough(double x, double y) const {
  constexpr double kZoom = 1.12;
  const double across = (2 * x - width_) / height_ / (2 * kZoom);
  const double upward = (height_ - 2 * y) / height_ / (2 * kZoom);
  return {eye_, Unit(forward_ + right_ * across + up_ * upward)};
}

bool Scene::Meet(const Ray& ray, Surface* surface) const {
  const SphereTree::Hit hit = spheres_.Nearest(ray);
  const double floor = ray.direction.y < 0 ? -ray.origin.y / ray.direction.y
                                           : std::numeric_limits<double>::infinity();
  if (floor > 1e-6 && floor < hit.distance && floor < 1e6) {
    surface->point = ray.origin + ray.direction * floor;
    surface->normal = {0, 1, 0};
    surface->color = Floor(surface->point, floor);
    surface->mirror = 0.16;
    surface->matte = 0.85;
    return true;
  }
  if (hit.sphere == nullptr) return false;
  surface->point = ray.origin + ray.direction * hit.distance;
  surface->normal = (surface->point - hit.sphere->center) * (1 / hit.sphere->radius);
  surface->color = kLevelColors[hit.sphere->level];
  surface->mirror = 0.62;
  surface->matte = 0.34;
  return true;
}

// The light that comes back along the ray.
Vec3 Scene::Trace(Ray ray, std::uint64_t noise) const {
  Vec3 light;
  Vec3 weight{1, 1, 1};
  for (int bounce = 0; bounce <= kBounces; ++bounce) {
    Surface surface;
    if (!Meet(ray, &surface)) return light + weight * Sky(ray.direction);

    // The sun is a disc, so shadows have soft edges: one random point of it.
    noise = Scramble(noise + 0x9e3779b97f4a7c15u);
    const double turn = 2 * kPi * Fraction(noise);
    const double out = 0.012 * std::sqrt(Fraction(Scramble(noise)));
    const Vec3 side = Unit(Cross(kSun, {0, 1, 0}));
    const Vec3 sun =
        Unit(kSun + side * (out * std::cos(turn)) + Cross(kSun, side) * (out * std::sin(turn)));
    const Vec3 start = surface.point + surface.normal * 1e-5;
    const double facing = Dot(surface.normal, sun);
    Vec3 arriving = Vec3{0.20, 0.21, 0.30} * (0.55 + 0.45 * surface.normal.y);
    if (facing > 0 && !spheres_.Blocked({start, sun})) arriving = arriving + kSunColor * facing;
    light = light + weight * surface.color * arriving * surface.matte;

    // Schlick's approximation: everything mirrors at a grazing angle.
    const double straight = std::clamp(-Dot(ray.direction, surface.normal), 0.0, 1.0);
    const double grazing = std::pow(1 - straight, 5);
    const double mirror = surface.mirror + (1 - surface.mirror) * grazing;
    const Vec3 tint = surface.mirror > 0.5 ? Mix(surface.color, {1, 1, 1}, grazing) : Vec3{1, 1, 1};
    weight = weight * tint * mirror;
    if (std::max(weight.x, std::max(weight.y, weight.z)) < 0.004) break;
    ray = {start, Unit(Reflect(ray.direction, surface.normal))};
  }
  return light;
}

Vec3 Scene::Sample(int x, int y, int sample) const {
  const std::uint64_t place = (static_cast<std::uint64_t>(y) << 32) + static_cast<std::uint64_t>(x);
  const std::uint64_t noise = Scramble(place * kSamples + static_cast<std::uint64_t>(sample) + 1);
  const int column = sample % kGrid;
  const int row = sample / kGrid;
  const double dx = (column + Fraction(noise)) / kGrid;
  const double dy = (row + Fraction(Scramble(noise))) / kGrid;
  const Vec3 light = Trace(RayThrough(x + dx, y + dy), noise);
  // A single very bright sample would leave a jagged edge after averaging.
  return {std::min(light.x, 4.0), std::min(light.y, 4.0), std::min(light.z, 4.0)};
}

Rgb Scene::Pixel(int x, int y) const {
  Vec3 sum;
  Vec3 low{9, 9, 9};
  Vec3 high;
  for (const int sample : kProbes) {
    const Vec3 light = Sample(x, y, sample);
    sum = sum + light;
    low = {std::min(low.x, light.x), std::min(low.y, light.y), std::min(low.z, light.z)};
    high = {std::max(high.x, light.x), std::max(high.y, light.y), std::max(high.z, light.z)};
  }
  const Vec3 spread = high - low;
  int samples = kProbeCount;
  if (std::max(spread.x, std::max(spread.y, spread.z)) > kContrast) {
    for (int sample = 0; sample < kSamples; ++sample) {
      if (std::find(std::begin(kProbes), std::end(kProbes), sample) == std::end(kProbes)) {
        sum = sum + Sample(x, y, sample);
      }
    }
    samples = kSamples;
  }
  const Vec3 mean = sum * (1.0 / samples);
  return {Tone(mean.x), Tone(mean.y), Tone(mean.z)};
}

}  // namespace demo
