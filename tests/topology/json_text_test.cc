#include "filch/tools/topology/json_text.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/topology/fixture_reports.h"

namespace filch::topology_tool {
namespace {

bool Has(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

// That it is JSON at all, a JSON parser says in filch_topology_test.
TEST(JsonTextTest, HasMachineBudgetAndPlacement) {
  const std::string text = JsonText(FixtureReport(kHoles));
  EXPECT_TRUE(Has(text, R"("online": "0-1,4-8,10-15", "allowed": "0-1,4-8,10-11")")) << text;
  EXPECT_TRUE(Has(text, R"({"id": 2, "bytes": 8589934592, "cpus": "8,10-15")")) << text;
  EXPECT_TRUE(Has(text, R"("cpus": 9, "exact": 9)")) << text;
  EXPECT_TRUE(Has(text, R"({"source": "environment", "where": )")) << text;
  EXPECT_TRUE(Has(text, R"({"cpu": 0, "near_group": [5, 2, 4, 7, 8], "rings": [)")) << text;
  EXPECT_TRUE(Has(text, R"({"shares": "core", "workers": [5]})")) << text;
}

TEST(JsonTextTest, UnknownNumbersAreNull) {
  const std::string text = JsonText(FixtureReport(kBare));
  EXPECT_TRUE(Has(text, R"({"cpus": "0-5", "cache": null})")) << text;
  EXPECT_TRUE(Has(text, R"("cpus": null, "note": "not set")")) << text;
}

TEST(JsonTextTest, EscapesWhatMustBe) {
  TopologyReport report = FixtureReport(kOneCpu);
  report.machine.source = "a \"quoted\" \\ path\twith a tab";
  EXPECT_TRUE(Has(JsonText(report), R"("a \"quoted\" \\ path\u0009with a tab")"));
}

}  // namespace
}  // namespace filch::topology_tool
