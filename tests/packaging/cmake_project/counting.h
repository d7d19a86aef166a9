#ifndef COUNTING_H_
#define COUNTING_H_

#include <vector>

// How often each number below 10 is in the data.
std::vector<int> CountParallel(const std::vector<int>& data);

#endif  // COUNTING_H_
