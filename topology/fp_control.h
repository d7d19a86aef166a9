// FpControl: the calling thread's floating-point settings as one word.
//
// How results are rounded, what becomes of tiny numbers, and which exceptions
// trap; not which have been raised.  0 stands for no settings at all.  Where the
// processor is not known, the rounding mode is all there is.  Each function is for
// the calling thread.
//
//   const std::uint32_t before = FpControl::Exchange(settings);
//   ...
//   FpControl::Exchange(before);
#ifndef FILCH_TOPOLOGY_FP_CONTROL_H_
#define FILCH_TOPOLOGY_FP_CONTROL_H_

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cfenv>
#endif

namespace filch {

class FpControl {
 public:
  // Makes these the thread's settings and returns what they were.  Cheap if they are the
  // same: to write takes longer than to read.
  static std::uint32_t Exchange(std::uint32_t settings) {
    const std::uint32_t before = Read();
    if (__builtin_expect(before != settings, 0)) Write(settings);
    return before;
  }

  // The same for who takes back only what this has changed: 0 if the settings were these, or
  // if these are none.
  static std::uint32_t Change(std::uint32_t settings) {
    const std::uint32_t before = settings == 0 ? 0 : Exchange(settings);
    return __builtin_expect(before == settings, 1) ? 0 : before;
  }

#if defined(__x86_64__)
  // The control bits of MXCSR below, the x87 control word above; that one has a
  // bit that is always set.
  static std::uint32_t Read() {
    std::uint16_t x87 = 0;
    asm volatile("fnstcw %0" : "=m"(x87));
    return (__builtin_ia32_stmxcsr() & kControlBits) | (std::uint32_t{x87} << 16) | kSome;
  }
  static void Write(std::uint32_t settings) {
    const auto x87 = static_cast<std::uint16_t>(settings >> 16);
    asm volatile("fldcw %0" : : "m"(x87));
    __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & ~kControlBits) | (settings & kControlBits));
  }

 private:
  // The bits below are the exceptions that were raised.
  static constexpr std::uint32_t kControlBits = 0xffc0;
#elif defined(__aarch64__)
  static std::uint32_t Read() {
    std::uint64_t fpcr = 0;
    asm volatile("mrs %0, fpcr" : "=r"(fpcr));
    return (static_cast<std::uint32_t>(fpcr) & ~kSome) | kSome;
  }
  static void Write(std::uint32_t settings) {
    const std::uint64_t fpcr = settings & ~kSome;
    asm volatile("msr fpcr, %0" : : "r"(fpcr));
  }

 private:
#else
  static std::uint32_t Read() {
    return (static_cast<std::uint32_t>(std::fegetround()) << 1) | kSome;
  }
  static void Write(std::uint32_t settings) {
    std::fesetround(static_cast<int>((settings & ~kSome) >> 1));
  }

 private:
#endif
  // So that settings are never 0: a bit that the others leave free.
  static constexpr std::uint32_t kSome = 1;
};

}  // namespace filch

#endif  // FILCH_TOPOLOGY_FP_CONTROL_H_
