/* The scalable_* functions in a C program. */
#ifndef FILCH_TESTS_CONFORMANCE_SCALABLE_IN_C_H_
#define FILCH_TESTS_CONFORMANCE_SCALABLE_IN_C_H_

#ifdef __cplusplus
extern "C"
#endif
    /* 0: all is well. */
    int
    ScalableFunctionsInC(void);

#endif /* FILCH_TESTS_CONFORMANCE_SCALABLE_IN_C_H_ */
