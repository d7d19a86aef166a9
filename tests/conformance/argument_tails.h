// ForEachTail: every way to end the argument list of a loop.
#ifndef FILCH_TESTS_CONFORMANCE_ARGUMENT_TAILS_H_
#define FILCH_TESTS_CONFORMANCE_ARGUMENT_TAILS_H_

#include <tbb/partitioner.h>
#include <tbb/task_group.h>

// Calls `with` once for each: with or without a partitioner, with or without a context.
template <typename With>
void ForEachTail(const With& with) {
  tbb::task_group_context context;
  tbb::affinity_partitioner affinity;
  with();
  with(tbb::simple_partitioner());
  with(tbb::auto_partitioner());
  with(tbb::static_partitioner());
  with(affinity);
  with(context);
  with(tbb::simple_partitioner(), context);
  with(tbb::auto_partitioner(), context);
  with(tbb::static_partitioner(), context);
  with(affinity, context);
}

#endif  // FILCH_TESTS_CONFORMANCE_ARGUMENT_TAILS_H_
