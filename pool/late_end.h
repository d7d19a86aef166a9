// LateEnd: a call at the end of a thread that comes after its thread-local objects.
//
// For what a thread-local object gives back in its destructor, and the thread may get once
// more afterwards: in the destructor of an older object, or of a pthread key.  There is no
// second destructor then, but the one of a key is called as long as the key has a value.
//
//   LateEnd::Expect<&GiveBack>();  // which is called in vain, too
//
// Expecting it takes no lock of the loader's, which making a thread-local object does.
//
// A thread in which the process ends has no such end, nor has one without a key because the
// system has no more of them.  Any thread.
#ifndef FILCH_POOL_LATE_END_H_
#define FILCH_POOL_LATE_END_H_

#include <pthread.h>

#include <new>

#include "filch/pool/first_use.h"

namespace filch {
namespace pool_internal {

class LateEnd {
 public:
  using Function = void (*)();

  // The function is called when the calling thread ends, once for all calls until then.
  template <Function kAtEnd>
  static void Expect() {
    // Kept for ever: threads may end at any time, and the system would call what is no more.
    static FirstUse<const LateEnd> late_end;
    late_end.Get([](void* memory) { return ::new (memory) LateEnd(kAtEnd); }).ExpectIt();
  }

 private:
  explicit LateEnd(Function at_end);
  void ExpectIt() const;
  // The destructor of the key's values.
  static void Call(void* late_end);

  const Function at_end_;
  pthread_key_t key_ = {};
  const bool has_key_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_LATE_END_H_
