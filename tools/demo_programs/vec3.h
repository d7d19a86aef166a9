// Vec3: three doubles, for points, directions and linear colours.
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_VEC3_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_VEC3_H_

#include <cmath>

namespace demo {

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator*(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline Vec3 operator*(const Vec3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double Dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 Cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Vec3 Unit(const Vec3& a) { return a * (1 / std::sqrt(Dot(a, a))); }
inline Vec3 Mix(const Vec3& a, const Vec3& b, double t) { return a * (1 - t) + b * t; }
// `direction` thrown back by a surface with the unit normal `normal`.
inline Vec3 Reflect(const Vec3& direction, const Vec3& normal) {
  return direction - normal * (2 * Dot(direction, normal));
}

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_VEC3_H_
