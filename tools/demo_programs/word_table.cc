#include "tools/demo_programs/word_table.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace demo {
namespace {

constexpr std::size_t kFirstSlots = 1024;

std::uint32_t Upper(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

WordTable::WordTable() : slots_(kFirstSlots) {}

std::uint64_t WordTable::Hash(std::string_view text) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15u;
  std::uint64_t hash = text.size() * kFactor;
  const char* next = text.data();
  for (std::size_t left = text.size(); left > 0;) {
    const std::size_t size = left < 8 ? left : 8;
    std::uint64_t piece = 0;
    std::memcpy(&piece, next, size);
    hash = (hash ^ piece) * kFactor;
    hash ^= hash >> 32;
    next += size;
    left -= size;
  }
  hash *= kFactor;
  return hash ^ (hash >> 29);
}

void WordTable::Add(std::string_view text, std::uint64_t hash, std::uint64_t count) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  for (; slots_[at].word != 0; at = (at + 1) & mask) {
    if (slots_[at].hash != Upper(hash)) continue;
    Word& word = words_[slots_[at].word - 1];
    if (word.hash == hash && Text(word) == text) {
      word.count += count;
      return;
    }
  }
  if (words_.size() == std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("there are more different words than the table can hold");
  }
  words_.push_back({hash, count, letters_.size(), text.size()});
  letters_.insert(letters_.end(), text.begin(), text.end());
  slots_[at] = {static_cast<std::uint32_t>(words_.size()), Upper(hash)};
  if (words_.size() * 2 > slots_.size()) Grow();
}

void WordTable::Grow() {
  std::vector<Slot> slots(slots_.size() * 2);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    std::size_t at = words_[i].hash & mask;
    while (slots[at].word != 0) at = (at + 1) & mask;
    slots[at] = {static_cast<std::uint32_t>(i + 1), Upper(words_[i].hash)};
  }
  slots_ = std::move(slots);
}

void WordTable::Merge(WordTable* other) {
  if (other->words_.size() > words_.size()) std::swap(*this, *other);
  for (const Word& word : other->words_) Add(other->Text(word), word.hash, word.count);
}

}  // namespace demo
