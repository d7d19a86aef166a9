#include "tools/demo_programs/word_table.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>

#include "gtest/gtest.h"

namespace demo {
namespace {

using Counts = std::map<std::string, std::uint64_t>;

Counts Contents(const WordTable& table) {
  Counts counts;
  for (const WordTable::Word& word : table.words()) {
    EXPECT_TRUE(counts.emplace(table.Text(word), word.count).second) << table.Text(word);
  }
  return counts;
}

// Mostly short words, so that many of them meet again.
std::string RandomWord(std::mt19937* random) {
  std::string word;
  for (auto length = 1 + (*random)() % ((*random)() % 20 + 1); length > 0; --length) {
    word += static_cast<char>('a' + (*random)() % 4);
  }
  return word;
}

TEST(WordTableTest, CountsAsAMapDoes) {
  std::mt19937 random(1);
  WordTable table;
  Counts expected;
  for (int i = 0; i < 100000; ++i) {
    const std::string word = RandomWord(&random);
    table.Add(word, 1 + i % 3);
    expected[word] += 1 + i % 3;
  }
  EXPECT_GT(expected.size(), 5000u);  // it has grown several times
  EXPECT_EQ(Contents(table), expected);
}

TEST(WordTableTest, TellsApartWordsOfEveryLength) {
  WordTable table;
  Counts expected;
  std::string word;
  for (int length = 0; length < 40; ++length, word += '\0') {
    table.Add(word, 1);
    expected[word] = 1;
  }
  EXPECT_EQ(Contents(table), expected);
}

TEST(WordTableTest, MergesInEitherDirection) {
  for (const auto& [left_size, right_size] : {std::pair(0, 0), std::pair(0, 9), std::pair(9, 0),
                                              std::pair(50, 5000), std::pair(5000, 50)}) {
    std::mt19937 random(2);
    WordTable left;
    WordTable right;
    Counts expected;
    for (int i = 0; i < left_size + right_size; ++i) {
      const std::string word = RandomWord(&random);
      (i < left_size ? left : right).Add(word, 2);
      expected[word] += 2;
    }
    left.Merge(&right);
    EXPECT_EQ(Contents(left), expected);
  }
}

TEST(WordTableTest, TextOutlivesAMove) {
  WordTable table;
  table.Add("a", 1);
  const std::string_view text = table.Text(table.words()[0]);
  const WordTable moved = std::move(table);
  EXPECT_EQ(text.data(), moved.Text(moved.words()[0]).data());
}

}  // namespace
}  // namespace demo
