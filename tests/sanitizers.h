// FILCH_ADDRESS_SANITIZER, FILCH_THREAD_SANITIZER: 1 in a test that such a sanitizer watches, else
// 0.  gcc and clang say it in different words.
#ifndef FILCH_TESTS_SANITIZERS_H_
#define FILCH_TESTS_SANITIZERS_H_

#if defined(__has_feature)
#define FILCH_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#define FILCH_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#if defined(__SANITIZE_ADDRESS__)
#define FILCH_ADDRESS_SANITIZER 1
#else
#define FILCH_ADDRESS_SANITIZER 0
#endif
#if defined(__SANITIZE_THREAD__)
#define FILCH_THREAD_SANITIZER 1
#else
#define FILCH_THREAD_SANITIZER 0
#endif
#endif

#endif  // FILCH_TESTS_SANITIZERS_H_
