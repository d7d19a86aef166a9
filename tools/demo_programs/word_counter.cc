#include "tools/demo_programs/word_counter.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace demo {
namespace {

// Lower case for what belongs to a word, 0 for what lies between words.
constexpr std::array<char, 256> MakeFolding() {
  std::array<char, 256> folding = {};
  for (std::size_t c = 0x80; c < 0x100; ++c) folding[c] = static_cast<char>(c);
  for (std::size_t c = '0'; c <= '9'; ++c) folding[c] = static_cast<char>(c);
  for (std::size_t c = 'a'; c <= 'z'; ++c) {
    folding[c] = static_cast<char>(c);
    folding[c - 'a' + 'A'] = static_cast<char>(c);
  }
  folding['_'] = '_';
  return folding;
}

constexpr std::array<char, 256> kFolding = MakeFolding();

char Folded(char c) { return kFolding[static_cast<unsigned char>(c)]; }

}  // namespace

void WordCounter::Count(const TextFile& file) {
  if (file.size > largest_) {
    totals.too_large.Add(file.path);
    return;
  }
  switch (reader_.Read(file)) {
    case TextReader::Outcome::kText:
      CountText(reader_.text(), reader_.text() + reader_.size());
      ++totals.files;
      totals.bytes += static_cast<std::int64_t>(reader_.size());
      break;
    case TextReader::Outcome::kBinary:
      totals.binary.Add(file.path);
      break;
    case TextReader::Outcome::kUnreadable:
      totals.unreadable.Add(reader_.problem());
      break;
  }
}

void WordCounter::CountText(char* begin, char* end) {
  totals.lines += std::count(begin, end, '\n');
  char* next = begin;
  while (next != end) {
    if (Folded(*next) == 0) {
      ++next;
      continue;
    }
    char* const word = next;
    for (char folded; next != end && (folded = Folded(*next)) != 0; ++next) *next = folded;
    if (*word >= '0' && *word <= '9') continue;
    table.Add(std::string_view(word, static_cast<std::size_t>(next - word)), 1);
    ++totals.words;
  }
}

void WordCounter::Append(WordCounter* later) {
  table.Merge(&later->table);
  totals.files += later->totals.files;
  totals.bytes += later->totals.bytes;
  totals.lines += later->totals.lines;
  totals.words += later->totals.words;
  totals.binary.Append(later->totals.binary);
  totals.unreadable.Append(later->totals.unreadable);
  totals.too_large.Append(later->totals.too_large);
}

}  // namespace demo
