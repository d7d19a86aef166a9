// CpuSet: a set of cpus, named by the numbers that the operating system gives
// them.
//
// A value like a std::vector: copies are deep, nothing is shared, const
// methods may run on any thread at once.  It holds sets with holes and any cpu
// up to kMaxCpu, so more than 64 or 1024 cpus need no special care.
//
//   const CpuSet cpus = {0, 1, 2, 3, 8};
//   for (int cpu : cpus) ...
//   cpus.ToString();  // "0-3,8"
#ifndef FILCH_TOPOLOGY_CPU_SET_H_
#define FILCH_TOPOLOGY_CPU_SET_H_

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <string>

#include "filch/topology/plain_vector.h"

namespace filch {

class CpuSet {
 public:
  // The largest cpu number that a set holds.  Eight times what Linux can be
  // configured for; a limit at all, so that a typing error in a list of cpus is
  // reported instead of filling the memory.
  static constexpr int kMaxCpu = 65535;

  class Iterator;
  using const_iterator = Iterator;

  CpuSet() = default;
  CpuSet(std::initializer_list<int> cpus);

  // The cpus first, first + 1, ..., last; empty if last < first.
  static CpuSet Range(int first, int last);

  // The shortest list that ParseCpuList (cpu_list.h) reads back: "0-3,8"; "" for the empty set.
  std::string ToString() const;

  // A cpu outside 0..kMaxCpu is a broken contract for Add and AddRange.
  void Add(int cpu);
  void AddRange(int first, int last);
  void Remove(int cpu);

  bool Contains(int cpu) const;
  int size() const;
  bool empty() const { return words_.empty(); }

  // The smallest cpu, the largest, and the smallest one above `cpu`; -1 if
  // there is none.
  int First() const { return Next(-1); }
  int Last() const;
  int Next(int cpu) const;

  bool Intersects(const CpuSet& other) const;
  bool IsSubsetOf(const CpuSet& other) const;

  friend CpuSet operator|(const CpuSet& a, const CpuSet& b);
  friend CpuSet operator&(const CpuSet& a, const CpuSet& b);
  friend CpuSet operator-(const CpuSet& a, const CpuSet& b);
  friend bool operator==(const CpuSet& a, const CpuSet& b) { return a.words_ == b.words_; }
  friend bool operator!=(const CpuSet& a, const CpuSet& b) { return !(a == b); }

  Iterator begin() const;
  Iterator end() const;

 private:
  void DropTrailingZeros();

  // Cpu c is bit c % 64 of word c / 64.  Invariant: the last word is not zero,
  // so equal sets have equal words and the empty set has none.
  PlainVector<std::uint64_t> words_;
};

// Walks the cpus upwards.  Valid while the set is alive and unchanged.
class CpuSet::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = const int*;
  using reference = int;

  Iterator(const CpuSet* set, int cpu) : set_(set), cpu_(cpu) {}
  int operator*() const { return cpu_; }
  Iterator& operator++() {
    cpu_ = set_->Next(cpu_);
    return *this;
  }
  friend bool operator==(Iterator a, Iterator b) { return a.cpu_ == b.cpu_; }
  friend bool operator!=(Iterator a, Iterator b) { return a.cpu_ != b.cpu_; }

 private:
  const CpuSet* set_;
  int cpu_;
};

inline CpuSet::Iterator CpuSet::begin() const { return Iterator(this, First()); }
inline CpuSet::Iterator CpuSet::end() const { return Iterator(this, -1); }

}  // namespace filch

#endif  // FILCH_TOPOLOGY_CPU_SET_H_
