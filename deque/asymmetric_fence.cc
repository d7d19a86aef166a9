#include "filch/deque/asymmetric_fence.h"

#include "filch/topology/contract.h"

#if defined(__linux__)
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace filch {
namespace {

// From <linux/membarrier.h>, which old systems do not have.
constexpr int kQuery = 0;
constexpr int kPrivateExpedited = 1 << 3;
constexpr int kRegisterPrivateExpedited = 1 << 4;

long Membarrier(int command) {
#if defined(__linux__) && defined(SYS_membarrier)
  for (;;) {
    const long result = syscall(SYS_membarrier, command, 0, 0);
    // Kernels for very many processors need memory for a list of them.  They find some soon, and
    // no other answer would do: threads must not differ on whether there is a membarrier.
    if (result != -1 || errno != ENOMEM) return result;
    sched_yield();
  }
#else
  (void)command;
  return -1;
#endif
}

bool RegisterWithKernel() {
  const long commands = Membarrier(kQuery);
  return commands > 0 && (commands & kPrivateExpedited) != 0 &&
         Membarrier(kRegisterPrivateExpedited) == 0;
}

}  // namespace

std::atomic<AsymmetricFence::State> AsymmetricFence::state_{State::kUnknown};

// Threads that come here at once all get the same answer from the kernel, and
// registering twice is harmless.
AsymmetricFence::State AsymmetricFence::Register() {
  const State state = RegisterWithKernel() ? State::kAsymmetric : State::kSymmetric;
  state_.store(state, std::memory_order_relaxed);
  return state;
}

bool AsymmetricFence::IsAsymmetric() {
  State state = state_.load(std::memory_order_relaxed);
  if (state == State::kUnknown) state = Register();
  return state == State::kAsymmetric;
}

void AsymmetricFence::Heavy() {
  if (!IsAsymmetric()) {
    StdAtomics::SeqCstFence();
    return;
  }
  if (Membarrier(kPrivateExpedited) == 0) return;
  // A child process that did not inherit the registration registers itself.
  if (RegisterWithKernel() && Membarrier(kPrivateExpedited) == 0) return;
  Fail("filch::AsymmetricFence: the kernel refused a membarrier that it had granted before.");
}

}  // namespace filch
