// CpuRelax(): one polite iteration of a spin loop.
//
// It tells the core that the loop waits for another thread, so that an SMT
// sibling runs meanwhile and leaving the loop is not mispredicted.  Its length
// differs by a factor of ten between processors: bound a spin by time, never
// by iterations.  It is no fence and orders nothing.
#ifndef FILCH_TOPOLOGY_CPU_RELAX_H_
#define FILCH_TOPOLOGY_CPU_RELAX_H_

namespace filch {

inline void CpuRelax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__) || defined(__arm__)
  asm volatile("yield" ::: "memory");
#elif defined(__powerpc__)
  asm volatile("or 27,27,27" ::: "memory");
#else
  asm volatile("" ::: "memory");
#endif
}

}  // namespace filch

#endif  // FILCH_TOPOLOGY_CPU_RELAX_H_
