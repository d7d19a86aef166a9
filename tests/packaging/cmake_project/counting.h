#ifndef FILCH_TESTS_PACKAGING_CMAKE_PROJECT_COUNTING_H_
#define FILCH_TESTS_PACKAGING_CMAKE_PROJECT_COUNTING_H_

#include <vector>

// How often each number below 10 is in the data.
std::vector<int> CountParallel(const std::vector<int>& data);

#endif  // FILCH_TESTS_PACKAGING_CMAKE_PROJECT_COUNTING_H_
