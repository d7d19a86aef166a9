// The functions of version.h under the names that a C compiler gives them, in the shared library.
//
// A configure script that looks for TBB links a call of one. Nobody else gets here but who was
// compiled for oneTBB in a process that has both libraries, this one first: version.h has names
// of its own. So it is oneTBB that answers, if it is there. A static library has none of these, for
// in a program that has both nothing could tell them apart any more.
#include <dlfcn.h>

extern "C" {
// The functions of version.h.
int filch_TBB_runtime_interface_version();
const char* filch_TBB_runtime_version();

__attribute__((visibility("default"))) int PlainInterfaceVersion() __asm__(
    "TBB_runtime_interface_version");
__attribute__((visibility("default"))) const char* PlainVersion() __asm__("TBB_runtime_version");
}

namespace {

constexpr const char* kOthers[] = {"libtbb.so.12", "libtbb_debug.so.12", "libtbb.so.2",
                                   "libtbb_debug.so.2"};

// The function of a TBB that is loaded already, for whomever; null if there is none.
template <typename Function>
Function* OfOther(const char* name, Function* own) {
  for (const char* const soname : kOthers) {
    void* const library = dlopen(soname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == nullptr) continue;
    auto* const found = reinterpret_cast<Function*>(dlsym(library, name));
    dlclose(library);
    if (found != nullptr && found != own) return found;
  }
  return nullptr;
}

}  // namespace

int PlainInterfaceVersion() {
  auto* const other = OfOther("TBB_runtime_interface_version", &PlainInterfaceVersion);
  return other != nullptr ? other() : filch_TBB_runtime_interface_version();
}

const char* PlainVersion() {
  auto* const other = OfOther("TBB_runtime_version", &PlainVersion);
  return other != nullptr ? other() : filch_TBB_runtime_version();
}
