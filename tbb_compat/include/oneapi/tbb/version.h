// The version of the oneTBB interface that these headers spell.
//
// Build systems read the numbers with a text search, so each is a literal.
//
//   static_assert(TBB_INTERFACE_VERSION >= 12000);
#ifndef FILCH_TBB_COMPAT_VERSION_H_
#define FILCH_TBB_COMPAT_VERSION_H_

#define TBB_VERSION_MAJOR 2023
#define TBB_VERSION_MINOR 2
#define TBB_VERSION_PATCH 0
#define TBB_VERSION_STRING "2023.2.0"

#define ONETBB_SPEC_VERSION 104

#define TBB_INTERFACE_VERSION 12200
#define TBB_INTERFACE_VERSION_MAJOR 12
#define TBB_INTERFACE_VERSION_MINOR 20

#define __TBB_BINARY_VERSION 12

#define TBB_VERSION_STRINGS_P(name) \
#name ": VERSION\t\t" TBB_VERSION_STRING "\n" #name ": INTERFACE VERSION\t12200\n"
#define TBB_VERSION_STRINGS TBB_VERSION_STRINGS_P(filch)
#define TBBMALLOC_VERSION_STRINGS TBB_VERSION_STRINGS_P(TBBmalloc)

// The asm labels keep these two apart from oneTBB's functions of the same name
// when both libraries are loaded. The plain names are those of src/plain_version.cc.
extern "C" {
// The version of the library that runs; equal to TBB_VERSION_STRING. Any thread.
const char* TBB_runtime_version(void) __asm__("filch_TBB_runtime_version");
// Equal to TBB_INTERFACE_VERSION. Any thread.
int TBB_runtime_interface_version(void) __asm__("filch_TBB_runtime_interface_version");
}

#endif  // FILCH_TBB_COMPAT_VERSION_H_
