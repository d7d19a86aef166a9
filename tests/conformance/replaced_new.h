// The operators new and delete of a test that counts allocations, or lets them fail.
#ifndef FILCH_TESTS_CONFORMANCE_REPLACED_NEW_H_
#define FILCH_TESTS_CONFORMANCE_REPLACED_NEW_H_

#include <cstddef>

// The test's: it is called before each allocation of so many bytes, and may throw
// std::bad_alloc.  Any thread.
void BeforeAllocation(std::size_t bytes);

#endif  // FILCH_TESTS_CONFORMANCE_REPLACED_NEW_H_
