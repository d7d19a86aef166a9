// FirstUse: an object that is made when somebody asks for it first, and is never destroyed.
//
// What a static object of a function does, but for a child of fork(): where another thread is
// just making that one, it stays half made in the child for ever, and the child waits for it.
// Here fork() waits until it is made.
//
//   Settings& TheSettings() {
//     static FirstUse<Settings> settings;
//     return settings.Get();
//   }
//
// What is made may ask for another such object.  Nobody asks first while holding a lock that
// fork() takes (ForkListener).
//
// Scheduler-internal.  Any thread.
// Memory ordering: the object's construction is visible to whoever gets it (F2 of README.md).
#ifndef FILCH_POOL_FIRST_USE_H_
#define FILCH_POOL_FIRST_USE_H_

#include <atomic>
#include <new>

#include "filch/pool/forked_child.h"

namespace filch {
namespace pool_internal {

template <typename T>
class FirstUse {
 public:
  // So that it is there before any code runs.
  constexpr FirstUse() = default;
  FirstUse(const FirstUse&) = delete;
  FirstUse& operator=(const FirstUse&) = delete;

  // Null: nobody has asked yet.
  T* Find() const { return made_.load(std::memory_order_acquire); }  // F2: it may be used

  // Made without arguments.  If the constructor throws, there is none yet.
  T& Get() {
    return Get([](void* memory) { return ::new (memory) T; });
  }
  // The same, but `make(memory)` makes the object there and returns it.
  template <typename Make>
  T& Get(const Make& make) {
    T* const made = Find();
    return *(__builtin_expect(made != nullptr, 1) ? made : &MakeIt(make));
  }

 private:
  template <typename Make>
  __attribute__((noinline)) T& MakeIt(const Make& make) {
    const ForkedChild::HoldOff hold_off;
    T* made = made_.load(std::memory_order_relaxed);  // F2: written with the lock held
    if (made == nullptr) {
      made = make(static_cast<void*>(memory_));
      made_.store(made, std::memory_order_release);  // F2: it is complete
    }
    return *made;
  }

  std::atomic<T*> made_{nullptr};
  alignas(T) unsigned char memory_[sizeof(T)] = {};
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_FIRST_USE_H_
