#include "tests/executed_instructions.h"

#include "tests/sanitizers.h"

// ThreadSanitizer watches the handler, too, and a step may be in the middle of what it does for
// that: it waited for a lock of its own that the interrupted step had.
#if defined(__x86_64__) && defined(__linux__) && !FILCH_THREAD_SANITIZER

#include <signal.h>
#include <sys/ucontext.h>

#include <cstdint>

namespace filch {
namespace {

// What the handler knows, on the thread that it interrupts.
volatile sig_atomic_t counting = 0;
std::int64_t traps = 0;
std::int64_t locks = 0;
struct sigaction handler_before;

bool IsPrefix(unsigned char byte) {
  switch (byte) {
    case 0x26:
    case 0x2E:
    case 0x36:
    case 0x3E:
    case 0x64:
    case 0x65:
    case 0x66:
    case 0x67:
    case 0xF0:
    case 0xF2:
    case 0xF3:
      return true;
    default:
      return (byte & 0xF0) == 0x40;  // REX
  }
}

// Of the instruction at `code`.
bool Locks(const unsigned char* code) {
  constexpr unsigned char kLock = 0xF0;
  for (; IsPrefix(*code); ++code) {
    if (*code == kLock) return true;
  }
  // xchg with memory, which locks without a prefix; the three fences.
  if (code[0] == 0x86 || code[0] == 0x87) return code[1] < 0xC0;
  return code[0] == 0x0F && code[1] == 0xAE && code[2] >= 0xE8;
}

// Before each instruction while the trap flag is set, and once for Start.
void OnTrap(int, siginfo_t*, void* context) {
  constexpr greg_t kTrapFlag = 0x100;
  greg_t* const registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  if (counting == 0) {
    registers[REG_EFL] &= ~kTrapFlag;
    return;
  }
  registers[REG_EFL] |= kTrapFlag;
  ++traps;
  if (Locks(reinterpret_cast<const unsigned char*>(registers[REG_RIP]))) ++locks;
}

}  // namespace

bool ExecutedInstructions::IsAvailable() { return true; }

void ExecutedInstructions::Start() {
  struct sigaction action = {};
  action.sa_sigaction = &OnTrap;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGTRAP, &action, &handler_before);
  traps = 0;
  locks = 0;
  counting = 1;
  raise(SIGTRAP);
}

void ExecutedInstructions::Stop() {
  counting = 0;
  // The trap behind that store was the last one.
  sigaction(SIGTRAP, &handler_before, nullptr);
  all_ = traps;
  locked_ = locks;
}

}  // namespace filch

#else

namespace filch {

bool ExecutedInstructions::IsAvailable() { return false; }
void ExecutedInstructions::Start() {}
void ExecutedInstructions::Stop() {}

}  // namespace filch

#endif
