// Included first, it switched TBB's use of exceptions off.
#error "filch's TBB headers carry exceptions to the wait: tbb_disable_exceptions.h cannot be used."
