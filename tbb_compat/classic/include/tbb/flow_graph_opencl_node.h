// Not provided yet; stands here so that no other TBB is taken for it.
#error "filch does not provide <tbb/flow_graph_opencl_node.h> of TBB 2020 yet."
