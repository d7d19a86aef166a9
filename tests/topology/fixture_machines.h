// The machines that the tests of the topology layer are tried on.
#ifndef FILCH_TESTS_TOPOLOGY_FIXTURE_MACHINES_H_
#define FILCH_TESTS_TOPOLOGY_FIXTURE_MACHINES_H_

#include <string>
#include <vector>

#include "filch/topology/machine.h"
#include "gtest/gtest.h"

namespace filch {

// 2 packages of 2 nodes of 4 clusters of 4 cores with 2 cpus each: 128 cpus.
inline constexpr char kServer[] = "package:2 numanode:2 l3cache:4 core:4 pu:2";
inline constexpr char kOneCpu[] = "pu:1";
// Linux numbers the second threads of all cores after the first ones.  (By
// numbers, not "indexes=core:pu", which hwloc 2.9 parses with memory that it did
// not initialise and now and then ignores.)
inline constexpr char k256Cpus[] = "package:2 numanode:4 l3cache:2 core:8 pu:2(indexes=2*128:1*2)";
inline constexpr char k2048Cpus[] = "package:8 numanode:2 l3cache:4 core:16 pu:2";
// Neither cores, caches, nodes nor packages are described.
inline constexpr char kBare[] = "pu:6";

// Files in testdata, written for these tests:
// hybrid: 6 fast cores with 2 cpus (0-11), 8 frugal cores in two groups with an
// L2 each (12-19), all under one L3; 2 slowest cores without it (20-21).
inline constexpr char kHybrid[] = "hybrid.xml";
// holes: 2 packages; cpus 2, 3 and 9 offline, 12-15 not allowed; nodes numbered
// 0, 2 and 4, the last without cpus.
inline constexpr char kHoles[] = "holes.xml";
// square: 4 packages, of a node each, with distances as along the sides of a
// square; cpu n is on package n % 4, and n + 8 is the sibling of n.
inline constexpr char kSquare[] = "square.xml";

inline std::vector<std::string> AllFixtures() {
  return {kServer, kOneCpu, k256Cpus, k2048Cpus, kBare, kHybrid, kHoles, kSquare};
}

// A file of testdata, or a synthetic description.
inline Machine FixtureMachine(const std::string& name) {
  const bool is_file = name.find(".xml") != std::string::npos;
  absl::StatusOr<Machine> machine =
      is_file ? Machine::FromXml("tests/topology/testdata/" + name) : Machine::FromSynthetic(name);
  EXPECT_TRUE(machine.ok()) << machine.status();
  return machine.ok() ? *machine : Machine();
}

}  // namespace filch

#endif  // FILCH_TESTS_TOPOLOGY_FIXTURE_MACHINES_H_
