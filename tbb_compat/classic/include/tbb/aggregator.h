// Not provided yet; stands here so that no other TBB is taken for it.
#error "filch does not provide TBB 2020's <tbb/aggregator.h> yet (see tbb_compat/README.md)."
