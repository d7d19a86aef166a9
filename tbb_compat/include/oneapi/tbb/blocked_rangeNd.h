// oneTBB gave this header another name in 2022.
#error "filch does not provide <tbb/blocked_rangeNd.h>: include <tbb/blocked_nd_range.h>."
