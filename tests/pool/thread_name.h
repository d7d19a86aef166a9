// NameOfThisThread: what the system calls the calling thread.
#ifndef FILCH_TESTS_POOL_THREAD_NAME_H_
#define FILCH_TESTS_POOL_THREAD_NAME_H_

#include <pthread.h>

#include <string>

namespace filch {

inline std::string NameOfThisThread() {
  char name[16];
  pthread_getname_np(pthread_self(), name, sizeof name);
  return name;
}

}  // namespace filch

#endif  // FILCH_TESTS_POOL_THREAD_NAME_H_
