// Trees of tasks in the styles that programs of TBB 2020 have, compiled as such programs
// are; task_trees_test.cc counts what they execute.
#ifndef FILCH_TESTS_CONFORMANCE_TASK_TREES_H_
#define FILCH_TESTS_CONFORMANCE_TASK_TREES_H_

namespace filch {

// Each computes a Fibonacci number without a cut-off; its nodes have two children.
long BlockingTree(int n);
long ContinuationTree(int n);
long BypassTree(int n);
long RecyclingTree(int n);
long GroupTree(int n);
// How many calls of Fibonacci that are.
int CallsOfFib(int n);

// Nodes with three children, to that depth: how many leaves there are.
long ThreeChildrenBlocking(int depth);
long ThreeChildrenContinued(int depth);

// One task with so many children, for which it waits.
long ManyChildren(int children);

// The tree of ContinuationTree, which another thread takes: the calling one spawns it and
// does nothing.  Calls began() in the first of its tasks and ended() in the last.
long StolenTree(int n, void (*began)(), void (*ended)());

}  // namespace filch

#endif  // FILCH_TESTS_CONFORMANCE_TASK_TREES_H_
