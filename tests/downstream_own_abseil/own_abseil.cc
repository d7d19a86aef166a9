// filch's headers found this workspace's Abseil, not the operating system's.
#include <cstdio>

#include "filch/deque/chase_lev_deque.h"

#ifndef DOWNSTREAM_OWN_ABSEIL
#error "filch was built with another Abseil than this workspace's."
#endif

int main() {
  filch::ChaseLevDeque<int> deque;
  deque.Push(1);
  int item = 0;
  const bool right = deque.Pop(&item) && item == 1;
  std::puts(right ? "right" : "wrong");
  return right ? 0 : 1;
}
