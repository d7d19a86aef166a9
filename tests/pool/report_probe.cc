// A program on the default pool, for the reports that it writes at its end.
#include <cstdio>

#include "filch/pool/task_group.h"

int main() {
  filch::TaskGroup group;
  for (int i = 0; i < 10; ++i) group.Run([] {});
  group.Wait();
  std::puts("done");
}
