#include "filch/tools/topology/box_layout.h"

#include <cstddef>
#include <string>

#include "filch/tools/topology/machine_parts.h"
#include "gtest/gtest.h"
#include "tests/topology/fixture_reports.h"

namespace filch::topology_tool {
namespace {

bool Overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// Children lie in their box, below its text, and apart from each other.
void ExpectReadable(const Box& box) {
  for (std::size_t i = 0; i < box.children.size(); ++i) {
    const Box& child = box.children[i];
    EXPECT_GT(child.x, box.x);
    EXPECT_GT(child.y, box.y + LabelHeight(box.part->kind));
    EXPECT_LT(child.x + child.width, box.x + box.width);
    EXPECT_LT(child.y + child.height, box.y + box.height);
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(Overlap(child, box.children[j]));
    ExpectReadable(child);
  }
}

TEST(BoxLayoutTest, BoxesNestAndDoNotOverlap) {
  for (const std::string& name : AllFixtures()) {
    SCOPED_TRACE(name);
    const Part root = PartsOf(FixtureReport(name));
    const Box box = LayOut(root, 10, 20);
    EXPECT_EQ(box.x, 10);
    EXPECT_EQ(box.y, 20);
    ExpectReadable(box);
  }
}

TEST(BoxLayoutTest, APictureIsNotAStripe) {
  for (const std::string& name : AllFixtures()) {
    const Part root = PartsOf(FixtureReport(name));
    const Box box = LayOut(root, 0, 0);
    EXPECT_LT(box.width, 4 * box.height) << name;
    EXPECT_LT(box.height, 2 * box.width) << name;
  }
}

}  // namespace
}  // namespace filch::topology_tool
