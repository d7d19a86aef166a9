// Functions whose machine code join_fast_path_test.sh reads.
#include <atomic>
#include <cstdint>

#include "filch/pool/join.h"
#include "filch/pool/task_group.h"

namespace filch {

extern "C" {

void Left();
void Right();
std::int64_t Work(std::int64_t left, std::int64_t right);

void ProbeJoin() { Join(Left, Right); }

// What joins are made for: the fewer registers each call saves, the faster.
std::int64_t ProbeRecursion(std::int64_t n) {
  if (n < 2) return n;
  std::int64_t left = 0;
  std::int64_t right = 0;
  Join([&] { left = ProbeRecursion(n - 1); }, [&] { right = ProbeRecursion(n - 2); });
  return left + right;
}

// The same by groups.
std::int64_t ProbeGroups(std::int64_t n) {
  if (n < 2) return n;
  std::int64_t left = 0;
  TaskGroup group;
  group.Run([&left, n] { left = ProbeGroups(n - 1); });
  const std::int64_t right = ProbeGroups(n - 2);
  group.Wait();
  return left + right;
}

void ProbeLocked(std::atomic<int>* counter) { counter->fetch_add(1, std::memory_order_relaxed); }

// Keeps six values in registers while it calls.
std::int64_t ProbeSaving(const std::int64_t* v) {
  const std::int64_t a = v[0], b = v[1], c = v[2], d = v[3], e = v[4];
  const std::int64_t f = Work(a, b);
  return Work(c + d, f + Work(e + a, b)) + a + b + c + d + e + f;
}

}  // extern "C"

}  // namespace filch
