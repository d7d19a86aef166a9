// The parts of standard_headers_test, each of which includes one header of TBB.
#ifndef FILCH_TESTS_CONFORMANCE_STANDARD_HEADERS_TEST_H_
#define FILCH_TESTS_CONFORMANCE_STANDARD_HEADERS_TEST_H_

bool BehindARange();
bool BehindAnAllocator();
bool BehindALimit();
bool BehindALock();

#endif  // FILCH_TESTS_CONFORMANCE_STANDARD_HEADERS_TEST_H_
