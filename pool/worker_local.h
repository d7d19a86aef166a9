// WorkerLocal: an object for each thread that takes part, and a way to bring
// them together afterwards.
//
//   filch::WorkerLocal<Histogram> histograms;
//   filch::ParallelFor(0, n, [&](int i) { histograms.Local().Add(pixels[i]); });
//   Histogram all = histograms.Combine(Histogram(), [](Histogram& sum, const Histogram& part) {
//     sum.Add(part);
//   });
//
// Local() makes the calling thread's object when the thread first asks, so there
// are as many as threads have asked: one at least for each that works, and none
// for those that slept.  An object has its cache lines to itself and does not
// move.  Which thread works on what differs from run to run, so what is combined
// must not depend on that; where the order counts, use ParallelReduce.
//
// A task keeps its thread from its begin to its end, but while it waits the
// thread may run other tasks, which get the same object: do not wait with the
// object half changed, or wait inside Isolate.
//
// Who may call: Local any thread; everything else one thread, while nobody calls
// Local.  The objects stay when their threads end; a later thread may inherit
// one.
//
// Memory ordering: whoever has waited for the tasks sees what they did to the
// objects.
#ifndef FILCH_POOL_WORKER_LOCAL_H_
#define FILCH_POOL_WORKER_LOCAL_H_

#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "filch/pool/thread_table.h"
#include "filch/topology/cache_line.h"

namespace filch {

template <typename T>
class WorkerLocal {
 private:
  struct Element;
  using Elements = std::vector<std::unique_ptr<Element>>;

 public:
  // Walks through the objects in the order in which they were made.
  template <typename U>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = U*;
    using reference = U&;

    Iterator() = default;
    U& operator*() const { return (*place_)->object; }
    U* operator->() const { return &**this; }
    Iterator& operator++() {
      ++place_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(place_++); }
    friend bool operator==(Iterator a, Iterator b) { return a.place_ == b.place_; }
    friend bool operator!=(Iterator a, Iterator b) { return a.place_ != b.place_; }

   private:
    friend class WorkerLocal;
    explicit Iterator(typename Elements::const_iterator place) : place_(place) {}

    typename Elements::const_iterator place_;
  };
  using iterator = Iterator<T>;
  using const_iterator = Iterator<const T>;

  // Objects are value-initialised.
  WorkerLocal() : make_([] { return std::make_unique<Element>(); }) {}
  // Objects are what make() returns; it may be called by several threads at once.
  template <typename Make, typename = std::enable_if_t<std::is_invocable_v<const Make&>>>
  explicit WorkerLocal(Make make)
      : make_([make = std::move(make)] { return std::make_unique<Element>(make); }) {}
  WorkerLocal(const WorkerLocal&) = delete;
  WorkerLocal& operator=(const WorkerLocal&) = delete;

  // The calling thread's object.  Throws what making it throws, and then there is
  // none.
  T& Local() {
    void* const found = threads_.Find();
    return __builtin_expect(found != nullptr, 1) ? static_cast<Element*>(found)->object : Make();
  }

  iterator begin() { return iterator(elements_.begin()); }
  iterator end() { return iterator(elements_.end()); }
  const_iterator begin() const { return const_iterator(elements_.begin()); }
  const_iterator end() const { return const_iterator(elements_.end()); }
  std::size_t size() const { return elements_.size(); }
  bool empty() const { return elements_.empty(); }

  // Calls f(sum, object) for each object, and returns the sum.
  template <typename Sum, typename F>
  Sum Combine(Sum sum, F&& f) const {
    for (const T& object : *this) std::invoke(f, sum, object);
    return sum;
  }

  // Destroys all objects.
  void Clear() {
    threads_.Clear();
    elements_.clear();
  }

 private:
  struct alignas(kCacheLineSize) Element {
    Element() : object() {}
    template <typename Make>
    explicit Element(const Make& make) : object(make()) {}

    T object;
  };

  __attribute__((noinline)) T& Make() {
    // Without the lock, for the function may do anything; if it waits, another
    // task may have made this thread's object meanwhile.
    std::unique_ptr<Element> element = make_();
    if (void* const found = threads_.Find()) return static_cast<Element*>(found)->object;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (elements_.size() == elements_.capacity()) elements_.reserve(2 * elements_.size() + 1);
    threads_.Insert(ThreadNumber(), element.get());
    elements_.push_back(std::move(element));
    return elements_.back()->object;
  }

  const std::function<std::unique_ptr<Element>()> make_;
  ThreadTable threads_;
  std::mutex mutex_;  // held while elements_ grows
  Elements elements_;
};

}  // namespace filch

#endif  // FILCH_POOL_WORKER_LOCAL_H_
