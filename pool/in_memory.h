// InMemory: a value that a compiler keeps in memory, not in a register.
//
// What a function needs again only after it has called others, and then seldom or once,
// is dear in a register: every call of the function saves and restores one more.  Above
// all in recursive functions that do little else, which is what joins are made for.
// Any type that fits into a register; not synchronized.
#ifndef FILCH_POOL_IN_MEMORY_H_
#define FILCH_POOL_IN_MEMORY_H_

#include <type_traits>

namespace filch {
namespace pool_internal {

template <typename T>
class InMemory {
 public:
  explicit InMemory(T value) : value_(value) {
    static_assert(std::is_trivially_copyable_v<T>, "the value is moved by its bytes");
    // No instruction: for all that the compiler knows, it is another value now.
    asm("" : "+m"(value_));
  }
  InMemory(const InMemory&) = delete;
  InMemory& operator=(const InMemory&) = delete;

  T Get() const { return value_; }

 private:
  T value_;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_IN_MEMORY_H_
