// Sleeps(): whether another thread of the process waits for something.
#ifndef FILCH_TESTS_CONFORMANCE_SLEEPS_H_
#define FILCH_TESTS_CONFORMANCE_SLEEPS_H_

#include <cstdio>
#include <cstring>

// By the number that the kernel has for it.
inline bool Sleeps(long thread_id) {
  char line[200] = {};
  std::snprintf(line, sizeof(line), "/proc/self/task/%ld/stat", thread_id);
  std::FILE* const file = std::fopen(line, "r");
  if (file == nullptr) return false;
  const bool read = std::fgets(line, sizeof(line), file) != nullptr;
  std::fclose(file);
  // The state stands behind the name, which is in parentheses.
  const char* const name_end = read ? std::strrchr(line, ')') : nullptr;
  return name_end != nullptr && name_end[1] == ' ' && name_end[2] == 'S';
}

#endif  // FILCH_TESTS_CONFORMANCE_SLEEPS_H_
