// Not provided yet; stands here so that no other TBB is taken for it.
#error "filch does not provide <tbb/concurrent_unordered_set.h> yet (see tbb_compat/README.md)."
