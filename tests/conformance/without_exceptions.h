// A part of a program that is compiled without exceptions.
//
// Every function does something with the scheduler, and is true if the answer was right.
#ifndef FILCH_TESTS_CONFORMANCE_WITHOUT_EXCEPTIONS_H_
#define FILCH_TESTS_CONFORMANCE_WITHOUT_EXCEPTIONS_H_

bool AlgorithmsAnswerRightly();
bool TasksAnswerRightly();
bool ArenasAnswerRightly();
bool LocksAndContainersAnswerRightly();
bool CancellationArrives();
// Calls parallel_for with a step of zero, which throws.
void StepByZero();

#endif  // FILCH_TESTS_CONFORMANCE_WITHOUT_EXCEPTIONS_H_
