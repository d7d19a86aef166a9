#include "filch/tools/topology/arguments.h"

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "filch/topology/placement.h"
#include "gtest/gtest.h"

namespace filch::topology_tool {
namespace {

TEST(ArgumentsTest, NothingMeansTheTreeOfThisMachine) {
  const absl::StatusOr<Arguments> arguments = ParseArguments({});
  ASSERT_TRUE(arguments.ok());
  EXPECT_FALSE(arguments->synthetic || arguments->xml_file || arguments->root ||
               arguments->workers || arguments->help);
  EXPECT_EQ(arguments->format, OutputFormat::kTree);
  EXPECT_EQ(arguments->policy, PlacementPolicy::kSpread);
}

TEST(ArgumentsTest, ValuesFollowAnEqualsSignOrAreTheNextWord) {
  const absl::StatusOr<Arguments> arguments =
      ParseArguments({"--synthetic", "core:2 pu:2(indexes=core:pu)", "--workers=3",
                      "--policy=compact", "--svg", "--rings-of", "2", "--root="});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_EQ(arguments->synthetic, "core:2 pu:2(indexes=core:pu)");
  EXPECT_EQ(arguments->workers, 3);
  EXPECT_EQ(arguments->policy, PlacementPolicy::kCompact);
  EXPECT_EQ(arguments->format, OutputFormat::kSvg);
  EXPECT_EQ(arguments->rings_of, 2);
  EXPECT_EQ(arguments->root, "");
}

TEST(ArgumentsTest, BadWordsGetASentenceThatNamesThem) {
  const std::vector<std::vector<std::string>> bad = {{"--bogus"},
                                                     {"machine.xml"},
                                                     {""},
                                                     {"-h"},
                                                     {"--workers"},
                                                     {"--workers", "0"},
                                                     {"--workers=many"},
                                                     {"--rings-of", "-1"},
                                                     {"--policy=scatter"},
                                                     {"--json=yes"},
                                                     {"--synthetic"},
                                                     {"--xml", "a", "--synthetic", "pu:1"},
                                                     {"--workers=65537"},
                                                     {"--rings-of=1"},
                                                     {"--rings-of=1", "--json"}};
  for (const std::vector<std::string>& words : bad) {
    const absl::StatusOr<Arguments> arguments = ParseArguments(words);
    ASSERT_FALSE(arguments.ok()) << words.front();
    const std::string sentence(arguments.status().message());
    EXPECT_EQ(sentence.back(), '.');
    EXPECT_NE(sentence.find(words[0].substr(0, words[0].find('='))), std::string::npos) << sentence;
  }
}

TEST(ArgumentsTest, OneFormatIsEnough) {
  const absl::StatusOr<Arguments> two = ParseArguments({"--json", "--svg"});
  ASSERT_FALSE(two.ok());
  EXPECT_EQ(two.status().message(), "--svg is one format too many; choose one.");
  EXPECT_TRUE(ParseArguments({"--svg", "--rings-of=1", "--svg"}).ok());
}

TEST(ArgumentsTest, TheUsageIsOneLineAndTheHelpNamesEveryOptionInIt) {
  const std::string usage = UsageLine();
  EXPECT_EQ(usage.find('\n'), usage.size() - 1);
  EXPECT_EQ(HelpText().rfind(usage, 0), 0u);
  for (const char* option : {"--synthetic", "--xml", "--root", "--workers", "--policy", "--json",
                             "--svg", "--rings-of", "--export-xml"}) {
    EXPECT_NE(usage.find(option), std::string::npos) << option;
    EXPECT_NE(HelpText().find(option, usage.size()), std::string::npos) << option;
  }
}

}  // namespace
}  // namespace filch::topology_tool
