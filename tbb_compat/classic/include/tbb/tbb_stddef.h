// What every program of TBB 2020 finds in its first header: the version, and a
// few names that belong nowhere else.
//
// This include root reports TBB 2020.3.  It is an alternative to the modern root,
// not an addition: a source file uses one of them, and files of both kinds may be
// linked into one program, where they share the pool.  Build systems read the
// numbers with a text search, so each is a literal.
#ifndef FILCH_TBB_COMPAT_CLASSIC_INCLUDE_TBB_TBB_STDDEF_H_
#define FILCH_TBB_COMPAT_CLASSIC_INCLUDE_TBB_TBB_STDDEF_H_

#ifdef FILCH_TBB_COMPAT_VERSION_H_
#error "A header of filch's modern include root came before one of its classic root."
#endif
// The headers that both roots share leave the version to this one, and spell
// what the two eras spell differently in the old way.
#define FILCH_TBB_CLASSIC 1

#define TBB_VERSION_MAJOR 2020
#define TBB_VERSION_MINOR 3
#define TBB_VERSION_STRING "2020.3"

#define TBB_INTERFACE_VERSION 11103
#define TBB_INTERFACE_VERSION_MAJOR 11
#define TBB_COMPATIBLE_INTERFACE_VERSION 2

#include "../../../include/oneapi/tbb/detail/_assert.h"
#include "../../../include/oneapi/tbb/detail/_classic_names.h"
#include "../../../include/oneapi/tbb/detail/_config.h"
#include "../../../include/oneapi/tbb/detail/_range_common.h"

using tbb::ext::assertion_handler_type;
namespace tbb {
using detail::r1::assertion_failure;
using detail::r1::set_assertion_handler;
}  // namespace tbb

// The asm label: files of the modern root ask the same library and get another
// answer.
extern "C" {
// Equal to TBB_INTERFACE_VERSION. Any thread.
int TBB_runtime_interface_version(void) __asm__("filch_TBB_classic_runtime_interface_version");
}
namespace tbb {
using ::TBB_runtime_interface_version;
}

#endif  // FILCH_TBB_COMPAT_CLASSIC_INCLUDE_TBB_TBB_STDDEF_H_
