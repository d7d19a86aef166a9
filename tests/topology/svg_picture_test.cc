#include "filch/tools/topology/svg_picture.h"

#include <cstddef>
#include <string>

#include "gtest/gtest.h"
#include "tests/topology/fixture_reports.h"

namespace filch::topology_tool {
namespace {

std::size_t Count(const std::string& text, const std::string& words) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) {
    ++count;
  }
  return count;
}

TEST(SvgPictureTest, DrawsEveryPartAndEveryWorker) {
  const TopologyReport report = FixtureReport(kServer, 64);
  const std::string svg = SvgPicture(report, 5);
  EXPECT_EQ(svg.rfind("<svg ", 0), 0u);
  // Background, machine, 2 packages, 4 nodes, 16 clusters, 64 cores, 128 cpus.
  EXPECT_EQ(Count(svg, "<rect "), 1u + 1 + 2 + 4 + 16 + 64 + 128);
  // The workers, and the centre and its four rings in the legend.
  EXPECT_EQ(Count(svg, "<circle "), 64u + 5);
  EXPECT_EQ(Count(svg, ">3 workers share its L3<"), 1u);
  EXPECT_EQ(Count(svg, ">12 workers share its node<"), 1u);
  EXPECT_EQ(Count(svg, ">16 workers share its package<"), 1u);
  EXPECT_EQ(Count(svg, ">32 workers share its machine<"), 1u);
}

TEST(SvgPictureTest, RingsHaveColoursOfTheirOwn) {
  const std::string svg = SvgPicture(FixtureReport(kServer, 64), 5);
  EXPECT_EQ(Count(svg, "r=\"10\" fill=\"#111111\""), 1u + 1);  // the centre, and in the legend
  EXPECT_EQ(Count(svg, "r=\"10\" fill=\"#a50026\""), 3u + 1);
  EXPECT_EQ(Count(svg, "r=\"10\" fill=\"#e34a33\""), 12u + 1);
  EXPECT_EQ(Count(svg, "r=\"10\" fill=\"#fdae61\""), 16u + 1);
  EXPECT_EQ(Count(svg, "r=\"10\" fill=\"#fee090\""), 32u + 1);
}

TEST(SvgPictureTest, MarksForeignCpusAndSharedOnes) {
  const std::string svg = SvgPicture(FixtureReport(kHoles, 11), 0);
  EXPECT_EQ(Count(svg, "stroke-dasharray"), 4u);  // cpus 12-15
  EXPECT_EQ(Count(svg, ">+1<"), 2u);              // 11 workers on 9 cpus
  EXPECT_EQ(Count(svg, ">Offline cpus: 2-3,9.<"), 1u);
}

TEST(SvgPictureTest, WithoutACentreThereAreNoRings) {
  const std::string svg = SvgPicture(FixtureReport(kServer, 4), -1);
  EXPECT_EQ(Count(svg, "<circle "), 4u);
  EXPECT_EQ(Count(svg, "share its"), 0u);
}

TEST(SvgPictureTest, EscapesWhatMustBe) {
  TopologyReport report = FixtureReport(kOneCpu);
  report.machine.source = "<\"a\" & b>";
  const std::string svg = SvgPicture(report, 0);
  EXPECT_EQ(Count(svg, "&lt;&quot;a&quot; &amp; b&gt;"), 1u);
}

}  // namespace
}  // namespace filch::topology_tool
