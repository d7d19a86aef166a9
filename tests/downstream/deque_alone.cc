// An owner and a thief of this program's own, on filch's Chase-Lev deque.
#include <atomic>
#include <cstdio>
#include <thread>

#include "filch/deque/chase_lev_deque.h"
#include "filch/deque/steal_result.h"

int main() {
  constexpr long kItems = 100000;
  filch::ChaseLevDeque<long> deque;
  std::atomic<bool> over{false};
  long stolen = 0;
  std::thread thief([&] {
    for (;;) {
      const bool last_look = over.load();
      const filch::StealResult<long> result = deque.Steal();
      if (result.status == filch::StealStatus::kStolen) stolen += result.item;
      if (last_look && result.status == filch::StealStatus::kEmpty) return;
    }
  });
  long popped = 0;
  long item = 0;
  for (long i = 1; i <= kItems; ++i) {
    deque.Push(i);
    if (i % 3 == 0 && deque.Pop(&item)) popped += item;
  }
  over = true;
  while (deque.Pop(&item)) popped += item;
  thief.join();
  const bool right = popped + stolen == kItems * (kItems + 1) / 2;
  std::printf("%s: %ld popped and %ld stolen\n", right ? "right" : "wrong", popped, stolen);
  return right ? 0 : 1;
}
