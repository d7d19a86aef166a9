#include "filch/topology/cpu_set.h"

#include <algorithm>

#include "absl/numeric/bits.h"
#include "absl/strings/str_cat.h"
#include "filch/topology/contract.h"

namespace filch {
namespace {

constexpr int kBitsPerWord = 64;

std::uint64_t BitOf(int cpu) { return std::uint64_t{1} << (cpu % kBitsPerWord); }

}  // namespace

CpuSet::CpuSet(std::initializer_list<int> cpus) {
  for (int cpu : cpus) Add(cpu);
}

CpuSet CpuSet::Range(int first, int last) {
  CpuSet set;
  set.AddRange(first, last);
  return set;
}

std::string CpuSet::ToString() const {
  std::string text;
  for (int first = First(); first >= 0;) {
    int last = first;
    while (Contains(last + 1)) ++last;
    absl::StrAppend(&text, text.empty() ? "" : ",", first);
    // "2,3" and "2-3" are equally long; the kernel prints the latter.
    if (last > first) absl::StrAppend(&text, "-", last);
    first = Next(last);
  }
  return text;
}

void CpuSet::Add(int cpu) {
  if (cpu < 0 || cpu > kMaxCpu) Fail("filch::CpuSet: a cpu number is out of range.");
  const std::size_t word = static_cast<std::size_t>(cpu / kBitsPerWord);
  if (word >= words_.size()) words_.resize(word + 1, 0);
  words_[word] |= BitOf(cpu);
}

void CpuSet::AddRange(int first, int last) {
  // Backwards, so that the words are allocated once.
  for (int cpu = last; cpu >= first; --cpu) Add(cpu);
}

void CpuSet::Remove(int cpu) {
  if (!Contains(cpu)) return;
  words_[static_cast<std::size_t>(cpu / kBitsPerWord)] &= ~BitOf(cpu);
  DropTrailingZeros();
}

bool CpuSet::Contains(int cpu) const {
  if (cpu < 0) return false;
  const std::size_t word = static_cast<std::size_t>(cpu / kBitsPerWord);
  return word < words_.size() && (words_[word] & BitOf(cpu)) != 0;
}

int CpuSet::size() const {
  int count = 0;
  for (std::uint64_t word : words_) count += absl::popcount(word);
  return count;
}

int CpuSet::Last() const {
  if (words_.empty()) return -1;
  return static_cast<int>(words_.size()) * kBitsPerWord - 1 - absl::countl_zero(words_.back());
}

int CpuSet::Next(int cpu) const {
  if (cpu >= kMaxCpu) return -1;
  const int from = std::max(cpu + 1, 0);
  std::size_t i = static_cast<std::size_t>(from / kBitsPerWord);
  if (i >= words_.size()) return -1;
  std::uint64_t word = words_[i] & ~(BitOf(from) - 1);
  while (word == 0) {
    if (++i == words_.size()) return -1;
    word = words_[i];
  }
  return static_cast<int>(i) * kBitsPerWord + absl::countr_zero(word);
}

bool CpuSet::Intersects(const CpuSet& other) const {
  const std::size_t shared = std::min(words_.size(), other.words_.size());
  for (std::size_t i = 0; i < shared; ++i) {
    if ((words_[i] & other.words_[i]) != 0) return true;
  }
  return false;
}

bool CpuSet::IsSubsetOf(const CpuSet& other) const { return (*this - other).empty(); }

CpuSet operator|(const CpuSet& a, const CpuSet& b) {
  CpuSet result = a.words_.size() >= b.words_.size() ? a : b;
  const CpuSet& shorter = a.words_.size() >= b.words_.size() ? b : a;
  for (std::size_t i = 0; i < shorter.words_.size(); ++i) result.words_[i] |= shorter.words_[i];
  return result;
}

CpuSet operator&(const CpuSet& a, const CpuSet& b) {
  CpuSet result = a;
  result.words_.resize(std::min(a.words_.size(), b.words_.size()));
  for (std::size_t i = 0; i < result.words_.size(); ++i) result.words_[i] &= b.words_[i];
  result.DropTrailingZeros();
  return result;
}

CpuSet operator-(const CpuSet& a, const CpuSet& b) {
  CpuSet result = a;
  const std::size_t shared = std::min(a.words_.size(), b.words_.size());
  for (std::size_t i = 0; i < shared; ++i) result.words_[i] &= ~b.words_[i];
  result.DropTrailingZeros();
  return result;
}

void CpuSet::DropTrailingZeros() {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

}  // namespace filch
