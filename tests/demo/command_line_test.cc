#include "tools/demo_programs/command_line.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace demo {
namespace {

struct Parsed {
  RunOptions options;
  long size = 7;
  std::vector<std::string> rest;
  std::string problem;
};

Parsed Parse(const std::vector<std::string>& arguments, bool with_rest = false) {
  Parsed parsed;
  CommandLine line("program", "[--size N]");
  line.AddRunOptions(&parsed.options);
  line.AddNumber("size", 0, 40, &parsed.size);
  if (with_rest) line.AddRest(&parsed.rest);
  parsed.problem = line.Parse(arguments);
  return parsed;
}

TEST(CommandLineTest, KeepsDefaultsWithoutArguments) {
  const Parsed parsed = Parse({});
  EXPECT_EQ(parsed.problem, "");
  EXPECT_EQ(parsed.size, 7);
  EXPECT_FALSE(parsed.options.serial);
  EXPECT_EQ(parsed.options.threads, 0);
  EXPECT_EQ(parsed.options.repeat, 1);
}

TEST(CommandLineTest, TakesValuesAfterSpaceOrEquals) {
  const Parsed parsed = Parse({"--serial", "--threads", "3", "--size=40", "--json=a=b"});
  EXPECT_EQ(parsed.problem, "");
  EXPECT_TRUE(parsed.options.serial);
  EXPECT_EQ(parsed.options.threads, 3);
  EXPECT_EQ(parsed.size, 40);
  EXPECT_EQ(parsed.options.json, "a=b");
}

TEST(CommandLineTest, RefusesNumbersThatAreNone) {
  for (const char* text : {"", "x", "4x", " 4", "4 ", "-1", "41", "99999999999999999999", "0x1"}) {
    EXPECT_EQ(Parse({"--size", text}).problem,
              "The option --size takes a number from 0 to 40, not '" + std::string(text) + "'.");
  }
}

TEST(CommandLineTest, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(Parse({"--sizes", "3"}).problem, "There is no option --sizes.");
  EXPECT_EQ(Parse({"--size"}).problem, "The option --size needs a value.");
  EXPECT_EQ(Parse({"--serial=1"}).problem, "The option --serial takes no value.");
  EXPECT_EQ(Parse({"here"}).problem, "'here' is not an option.");
}

TEST(CommandLineTest, TakesTheRestOnlyWhereAsked) {
  const Parsed parsed = Parse({"a", "--serial", "--", "--size", "--"}, true);
  EXPECT_EQ(parsed.problem, "");
  EXPECT_TRUE(parsed.options.serial);
  EXPECT_EQ(parsed.rest, (std::vector<std::string>{"a", "--size", "--"}));
}

TEST(CommandLineDeathTest, BadArgumentsExitWithTwoAndUsage) {
  std::string name = "program";
  std::string bad = "--nonsense";
  char* argv[] = {name.data(), bad.data()};
  CommandLine line("program", "");
  EXPECT_EXIT(line.ParseOrExit(2, argv), testing::ExitedWithCode(2),
              "There is no option --nonsense.*\n.*usage: program");
}

}  // namespace
}  // namespace demo
