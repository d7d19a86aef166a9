// kOnOneTbb: whether this test program runs on the reference instead of filch.
//
// A test may skip itself there only for a defect of the reference that its
// comment names.
#ifndef FILCH_TESTS_CONFORMANCE_ON_ONETBB_H_
#define FILCH_TESTS_CONFORMANCE_ON_ONETBB_H_

#ifdef CONFORMANCE_ON_ONETBB
inline constexpr bool kOnOneTbb = true;
#else
inline constexpr bool kOnOneTbb = false;
#endif

#endif  // FILCH_TESTS_CONFORMANCE_ON_ONETBB_H_
