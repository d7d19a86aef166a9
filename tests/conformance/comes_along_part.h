// Other files of comes_along_test, each with one header of TBB.
#ifndef FILCH_TESTS_CONFORMANCE_COMES_ALONG_PART_H_
#define FILCH_TESTS_CONFORMANCE_COMES_ALONG_PART_H_

int CountWithThreadSpecifics(int n);
int RunAfterPipeline();

#endif  // FILCH_TESTS_CONFORMANCE_COMES_ALONG_PART_H_
