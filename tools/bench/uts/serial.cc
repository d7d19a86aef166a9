#include "tools/bench/uts/uts.h"

namespace bench {
namespace {

template <typename Tree>
void RunTree(Run& run) {
  TimeTree<Tree>(run, SerialCount<Tree>);
}

const Registration geometric("uts_geometric", RunTree<GeometricTree>);
const Registration binomial("uts_binomial", RunTree<BinomialTree>);

}  // namespace
}  // namespace bench
