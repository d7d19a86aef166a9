// Not provided yet; stands here so that no other TBB is taken for it.
#error "filch does not provide <tbb/collaborative_call_once.h> yet (see tbb_compat/README.md)."
