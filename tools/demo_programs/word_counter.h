// WordCounter: counts the words of files, one file after the other.
//
// A word is a run of letters, digits, underscores and bytes past ASCII that does
// not begin with a digit; upper case counts as lower case.
// One thread; the counters of several threads are brought together by Append.
//
// Example:
//   WordCounter counter(std::uintmax_t{64} << 20);
//   for (const TextFile& file : files) counter.Count(file);
//   Use(counter.table, counter.totals);
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_WORD_COUNTER_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_WORD_COUNTER_H_

#include <cstdint>

#include "tools/demo_programs/text_files.h"
#include "tools/demo_programs/word_table.h"

namespace demo {

class WordCounter {
 public:
  struct Totals {
    std::int64_t files = 0;
    std::int64_t bytes = 0;
    std::int64_t lines = 0;
    std::int64_t words = 0;
    Omitted binary;
    Omitted unreadable;
    Omitted too_large;
  };

  // Files of more than `largest` bytes are left out.
  explicit WordCounter(std::uintmax_t largest) : largest_(largest) {}

  void Count(const TextFile& file);
  // Adds what `later` has counted, which comes after this in the order of the
  // walk, and uses it up.
  void Append(WordCounter* later);

  std::uintmax_t largest() const { return largest_; }

  WordTable table;
  Totals totals;

 private:
  void CountText(char* begin, char* end);

  const std::uintmax_t largest_;
  TextReader reader_;
};

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_WORD_COUNTER_H_
