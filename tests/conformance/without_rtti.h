// A part of a program that is compiled without run-time type information.
#ifndef FILCH_TESTS_CONFORMANCE_WITHOUT_RTTI_H_
#define FILCH_TESTS_CONFORMANCE_WITHOUT_RTTI_H_

int SumWithoutRtti(int n);
bool ResourceEqualsItselfWithoutRtti();

#endif  // FILCH_TESTS_CONFORMANCE_WITHOUT_RTTI_H_
