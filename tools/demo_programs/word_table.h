// WordTable: how often each word was seen.
//
// An open-addressing hash table whose words lie end to end in one buffer, so
// that a new word costs no allocation of its own.
// One thread; tables of several threads are brought together by Merge.
//
// Example:
//   WordTable table;
//   table.Add("the", 1);
//   for (const WordTable::Word& word : table.words()) Use(table.Text(word), word.count);
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_WORD_TABLE_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_WORD_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace demo {

class WordTable {
 public:
  struct Word {
    std::uint64_t hash = 0;
    std::uint64_t count = 0;
    std::size_t begin = 0;  // in the buffer
    std::size_t size = 0;
  };

  WordTable();

  void Add(std::string_view text, std::uint64_t count) { Add(text, Hash(text), count); }
  // Adds what `other` has counted.  `other` is used up: it may come back as
  // anything, because the smaller table is poured into the larger one.
  void Merge(WordTable* other);

  // In the order in which they were first seen.
  const std::vector<Word>& words() const { return words_; }
  // Valid until the table changes; moving the table is no change.
  std::string_view Text(const Word& word) const {
    return {letters_.data() + word.begin, word.size};
  }

  static std::uint64_t Hash(std::string_view text);

 private:
  struct Slot {
    std::uint32_t word = 0;  // its index plus one; 0: the slot is free
    std::uint32_t hash = 0;  // the upper half, which spares most comparisons
  };

  void Add(std::string_view text, std::uint64_t hash, std::uint64_t count);
  void Grow();

  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::vector<Word> words_;
  std::vector<char> letters_;  // not a string: its letters must stay where they are when moved
};

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_WORD_TABLE_H_
