// A part of a program that is compiled without exceptions.
#ifndef FILCH_TESTS_POOL_WITHOUT_EXCEPTIONS_H_
#define FILCH_TESTS_POOL_WITHOUT_EXCEPTIONS_H_

// 0 + 1 + ... + (n - 1), in four ways that must agree; -1 if they do not.
long SumInFourWays(int n);

#endif  // FILCH_TESTS_POOL_WITHOUT_EXCEPTIONS_H_
