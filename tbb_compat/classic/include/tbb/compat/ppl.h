// Not provided yet; stands here so that no other TBB is taken for it.
#error "filch does not provide <tbb/compat/ppl.h> of TBB 2020 yet."
