#include "tools/demo_programs/word_counter.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include "gtest/gtest.h"

namespace demo {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

TextFile Write(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/word_counter_" + name;
  std::ofstream(path, std::ios::binary) << text;
  return {path, text.size()};
}

Counts Contents(const WordTable& table) {
  Counts counts;
  for (const WordTable::Word& word : table.words()) {
    counts[std::string(table.Text(word))] += word.count;
  }
  return counts;
}

TEST(WordCounterTest, CutsTextIntoWords) {
  WordCounter counter(1000);
  counter.Count(Write("words", "The x4 (_the) 4x the-THE\n4 \xc3\xa9\n\nend"));
  EXPECT_EQ(Contents(counter.table),
            (Counts{{"the", 3}, {"x4", 1}, {"_the", 1}, {"\xc3\xa9", 1}, {"end", 1}}));
  EXPECT_EQ(counter.totals.files, 1);
  EXPECT_EQ(counter.totals.bytes, 34);
  EXPECT_EQ(counter.totals.lines, 3);
  EXPECT_EQ(counter.totals.words, 7);
}

TEST(WordCounterTest, CountsWhatItLeavesOut) {
  WordCounter counter(5);
  counter.Count(Write("small", "abcde"));
  counter.Count(Write("large", "abcdef"));
  counter.Count(Write("binary", std::string("a\0b", 3)));
  counter.Count({testing::TempDir() + "/word_counter_gone", 3});
  EXPECT_EQ(counter.totals.files, 1);
  EXPECT_EQ(counter.totals.too_large.count, 1);
  EXPECT_EQ(counter.totals.binary.count, 1);
  EXPECT_EQ(counter.totals.unreadable.count, 1);
  EXPECT_EQ(Contents(counter.table), (Counts{{"abcde", 1}}));
}

TEST(WordCounterTest, AppendAddsEverything) {
  WordCounter first(5);
  WordCounter second(5);
  first.Count(Write("first", "a b\n"));
  for (WordCounter* counter : {&first, &second}) {
    counter->Count(Write("both", "b c\n"));
    counter->Count(Write("large", "abcdef"));
  }
  first.Append(&second);
  EXPECT_EQ(Contents(first.table), (Counts{{"a", 1}, {"b", 3}, {"c", 2}}));
  EXPECT_EQ(first.totals.files, 3);
  EXPECT_EQ(first.totals.bytes, 12);
  EXPECT_EQ(first.totals.lines, 3);
  EXPECT_EQ(first.totals.words, 6);
  EXPECT_EQ(first.totals.too_large.count, 2);
}

}  // namespace
}  // namespace demo
