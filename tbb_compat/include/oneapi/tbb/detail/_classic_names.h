// Names that programs of TBB 2020 find with tbb::task, and oneTBB has no more: what its
// configuration says about tasks, and a few helpers of its namespace internal.
#ifndef FILCH_TBB_COMPAT_DETAIL_CLASSIC_NAMES_H_
#define FILCH_TBB_COMPAT_DETAIL_CLASSIC_NAMES_H_

#include <cstddef>
#include <cstdint>

#include "_config.h"
#include "_machine.h"
#include "_range_common.h"  // split came with every header of TBB 2020

#define __TBB_override override
#define __TBB_STATIC_ASSERT(condition, text) static_assert(condition, text)
#define __TBB_Yield() ::tbb::detail::yield()
#define __TBB_Pause(times) ::tbb::detail::machine_pause(times)

#define __TBB_TASK_GROUP_CONTEXT 1
#define __TBB_TASK_PRIORITY 1
#define __TBB_TASK_ARENA 1
#define __TBB_TASK_ISOLATION 1
#define __TBB_SCHEDULER_OBSERVER 1

#define __TBB_CPP11_PRESENT 1
#define __TBB_CPP11_LAMBDAS_PRESENT 1
#define __TBB_CPP11_RVALUE_REF_PRESENT 1
#define __TBB_CPP11_VARIADIC_TEMPLATES_PRESENT 1
#define __TBB_EXCEPTION_PTR_PRESENT 1

namespace tbb {

// Of a thread's stack, in bytes.
using stack_size_type = std::size_t;

namespace internal {

using affinity_id = std::uint16_t;
using reference_count = std::intptr_t;

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::int8_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

// No cache line is longer.
inline constexpr std::size_t NFS_MaxLineSize = 128;

// A T, and so much behind it that the next one in an array is on other cache lines.
template <typename T, std::size_t kBytes = NFS_MaxLineSize>
struct padded : T {
  char pad[kBytes - sizeof(T) % kBytes];
};

// The first constant where a std::size_t has 32 bits, the second one where it has 64.
template <unsigned kFor32Bits, unsigned long long kFor64Bits>
struct select_size_t_constant {
  static constexpr std::size_t value =
      static_cast<std::size_t>(sizeof(std::size_t) == 4 ? kFor32Bits : kFor64Bits);
};

// Whether `value` is a power of two; whether it is one, and at least `least`.
template <typename T>
constexpr bool is_power_of_two(T value) {
  return value > 0 && (value & (value - 1)) == 0;
}
template <typename T, typename Least>
constexpr bool is_power_of_two_at_least(T value, Least least) {
  return value >= least && internal::is_power_of_two(value);
}

// Whether the address is a multiple of a power of two.
template <typename T>
bool is_aligned(T* address, std::size_t alignment) {
  return (reinterpret_cast<std::uintptr_t>(address) & (alignment - 1)) == 0;
}

// What remains of a division by a power of two.
template <typename T, typename Power>
constexpr T modulo_power_of_two(T value, Power power) {
  return static_cast<T>(value & (power - 1));
}

template <typename... Ts>
void suppress_unused_warning(const Ts&...) {}

// The same address as a pointer of another type.
template <typename Pointer, typename T>
Pointer punned_cast(T* pointer) {
  return reinterpret_cast<Pointer>(reinterpret_cast<std::uintptr_t>(pointer));
}

#if TBB_USE_ASSERT
// Makes a pointer one that nothing is at, for assertions.
template <typename T>
void poison_pointer(T*& pointer) {
  pointer = reinterpret_cast<T*>(~std::uintptr_t{0});
}
template <typename T>
bool is_poisoned(T* pointer) {
  return pointer == reinterpret_cast<T*>(~std::uintptr_t{0});
}
#else
template <typename T>
void poison_pointer(T*&) {}
#endif

// Prints a line to the standard error stream, by printf's rules. Any thread.
void runtime_warning(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Throws std::runtime_error: what was tried, and the system's sentence for the error. Any
// thread.
[[noreturn]] void handle_perror(int error_code, const char* what_was_tried);

// A base of classes that are not assigned.
class no_assign {
 public:
  no_assign(const no_assign&) = default;
  no_assign& operator=(const no_assign&) = delete;

 protected:
  no_assign() = default;
};

// The same, and not copied.
class no_copy : no_assign {
 public:
  no_copy(const no_copy&) = delete;
  no_copy& operator=(const no_copy&) = delete;

 protected:
  no_copy() = default;
};

}  // namespace internal
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_CLASSIC_NAMES_H_
