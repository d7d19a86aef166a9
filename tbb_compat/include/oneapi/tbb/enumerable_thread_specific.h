// enumerable_thread_specific: an object for each thread that asks for one, and
// a way to visit them all.
//
// local() makes the calling thread's object at its first call, from the exemplar,
// the function or the arguments that the container was made with, and never
// waits long. Any thread may call local(), and visit or combine what there is while
// others make their objects; the rest is for one thread alone. The objects stay, where
// they are, when their threads end.
//
// local() takes memory from the allocator only, so that the program's operator new may
// call it. What makes an object runs without a lock.
//
//   tbb::enumerable_thread_specific<int> counts;
//   tbb::parallel_for(0, n, [&](int i) { counts.local() += Count(i); });
//   int total = counts.combine(std::plus<int>());
#ifndef FILCH_TBB_COMPAT_ENUMERABLE_THREAD_SPECIFIC_H_
#define FILCH_TBB_COMPAT_ENUMERABLE_THREAD_SPECIFIC_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>

#include "aligned_space.h"
#include "blocked_range.h"
#include "cache_aligned_allocator.h"
#include "detail/_config.h"
#include "detail/_flattened2d.h"
#include "detail/_indexed_iterator.h"
#include "detail/_template_helpers.h"  // comes along
#include "detail/_thread_elements.h"
#include "filch/pool/thread_table.h"
#include "filch/topology/cache_line.h"
#include "filch/topology/catch_all.h"
#include "profiling.h"      // comes along
#include "task.h"           // comes along
#include "tbb_allocator.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// How a thread finds its object. All keys are one here: none takes a key of the
// operating system, and a task is never moved to another thread.
enum ets_key_usage_type { ets_key_per_instance, ets_no_key, ets_suspend_aware };

template <typename T, typename Allocator = cache_aligned_allocator<T>,
          ets_key_usage_type kKey = ets_no_key>
class enumerable_thread_specific;

// Room for an object that its user makes there. The object goes with it if value_committed() has
// said that it has been made. One thread.
template <typename U>
struct ets_element {
  ets_element() = default;
  ets_element(const ets_element&) = delete;
  ets_element& operator=(const ets_element&) = delete;
  ~ets_element() {
    if (is_built) value()->~U();
  }

  U* value() { return my_space.begin(); }
  U* value_committed() {
    is_built = true;
    return value();
  }

  aligned_space<U> my_space;
  bool is_built = false;
};

template <typename T>
struct IsSpecific : std::false_type {};
template <typename T, typename Allocator, ets_key_usage_type kKey>
struct IsSpecific<enumerable_thread_specific<T, Allocator, kKey>> : std::true_type {};

template <typename T, typename Allocator, ets_key_usage_type kKey>
class enumerable_thread_specific {
 public:
  using allocator_type = Allocator;
  using value_type = T;
  using reference = T&;
  using const_reference = const T&;
  using pointer = T*;
  using const_pointer = const T*;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  // In the order in which the objects were made.
  using iterator = IndexedIterator<enumerable_thread_specific, T>;
  using const_iterator = IndexedIterator<const enumerable_thread_specific, const T>;

  template <typename Iterator>
  class Range : public blocked_range<Iterator> {
   public:
    // The same over constants, as in TBB.
    using value_type = T;
    using reference = T&;
    using const_reference = const T&;
    using iterator = Iterator;
    using difference_type = std::ptrdiff_t;
    using blocked_range<Iterator>::blocked_range;
    // A range over the objects is one over constants.
    template <typename Other, typename = std::enable_if_t<std::is_convertible_v<Other, Iterator> &&
                                                          !std::is_same_v<Other, Iterator>>>
    Range(const Range<Other>& other)
        : blocked_range<Iterator>(other.begin(), other.end(), other.grainsize()) {}
  };
  using range_type = Range<iterator>;
  using const_range_type = Range<const_iterator>;

  // Objects are value-initialised.
  enumerable_thread_specific() : make_([](void* memory) { ::new (memory) Element(); }) {}
  // Objects are what make() returns.
  template <typename Make, typename = std::enable_if_t<std::is_invocable_v<std::decay_t<Make>&>>>
  explicit enumerable_thread_specific(Make make)
      : make_([make = std::move(make)](void* memory) mutable {
          ::new (memory) Element(FromCall(), make);
        }) {}
  // Objects are copies of the exemplar.
  explicit enumerable_thread_specific(const T& exemplar) : make_(MakerOf(exemplar)) {}
  explicit enumerable_thread_specific(T&& exemplar) : make_(MakerOf(std::move(exemplar))) {}
  // Objects are made of the arguments.
  template <typename Arg, typename... Args,
            typename = std::enable_if_t<!std::is_invocable_v<std::decay_t<Arg>&> &&
                                        !IsSpecific<std::decay_t<Arg>>::value &&
                                        !std::is_same_v<std::decay_t<Arg>, T>>>
  enumerable_thread_specific(Arg&& arg, Args&&... args)
      : make_(MakerOf(std::forward<Arg>(arg), std::forward<Args>(args)...)) {}

  enumerable_thread_specific(const enumerable_thread_specific& other)
      : enumerable_thread_specific(Like(), std::as_const(other.make_)) {
    CopyFrom(other);
  }
  template <typename A, ets_key_usage_type K>
  enumerable_thread_specific(const enumerable_thread_specific<T, A, K>& other)
      : enumerable_thread_specific(Like(), std::as_const(other.make_)) {
    CopyFrom(other);
  }
  // What was moved from may be assigned to, and end.
  enumerable_thread_specific(enumerable_thread_specific&& other) : make_() { Swap(other); }
  template <typename A, ets_key_usage_type K>
  enumerable_thread_specific(enumerable_thread_specific<T, A, K>&& other)
      : enumerable_thread_specific(Like()) {
    MoveFrom(other);
    make_.swap(other.make_);
  }
  enumerable_thread_specific& operator=(const enumerable_thread_specific& other) {
    if (this != &other) enumerable_thread_specific(other).Swap(*this);
    return *this;
  }
  template <typename A, ets_key_usage_type K>
  enumerable_thread_specific& operator=(const enumerable_thread_specific<T, A, K>& other) {
    enumerable_thread_specific(other).Swap(*this);
    return *this;
  }
  // The other one has what this one had.
  enumerable_thread_specific& operator=(enumerable_thread_specific&& other) {
    if (this != &other) Swap(other);
    return *this;
  }
  template <typename A, ets_key_usage_type K>
  enumerable_thread_specific& operator=(enumerable_thread_specific<T, A, K>&& other) {
    enumerable_thread_specific(std::move(other)).Swap(*this);
    return *this;
  }
  virtual ~enumerable_thread_specific() { clear(); }

  // The calling thread's object; `exists` says whether it was there before.
  // Throws what making it throws. Any thread.
  T& local() {
    bool exists;
    return local(exists);
  }
  T& local(bool& exists) {
    Element* const found = elements_.Find();
    exists = found != nullptr;
    return __builtin_expect(exists, 1) ? found->value : Make(make_).value;
  }

  iterator begin() { return iterator(*this, 0); }
  iterator end() { return iterator(*this, Size()); }
  const_iterator begin() const { return const_iterator(*this, 0); }
  const_iterator end() const { return const_iterator(*this, Size()); }
  size_type size() const { return elements_.Size(); }
  bool empty() const { return size() == 0; }
  range_type range(std::size_t grain = 1) { return range_type(begin(), end(), grain); }
  const_range_type range(std::size_t grain = 1) const {
    return const_range_type(begin(), end(), grain);
  }

  // Destroys all objects.
  void clear() {
    for (std::size_t i = 0; i < size(); ++i) Delete(elements_[i]);
    elements_.Clear();
  }

  // f(f(first, second), third) and so on; of no object, one that is made for it.
  template <typename F>
  T combine(F f) {
    if (empty()) {
      // Goes by itself when it has been copied, so it needs nothing of the allocator.
      alignas(Element) unsigned char memory[sizeof(Element)];
      make_(memory);
      struct Owner {
        ~Owner() { element.~Element(); }
        Element& element;
      } const owner{*std::launder(reinterpret_cast<Element*>(memory))};
      return owner.element.value;
    }
    T result = elements_[0]->value;
    for (std::size_t i = 1; i < size(); ++i) {
      result = std::invoke(f, result, std::as_const(elements_[i]->value));
    }
    return result;
  }
  // Calls f with each object, also with those that are made meanwhile.
  template <typename F>
  void combine_each(F f) {
    for (std::size_t i = 0; i < size(); ++i) std::invoke(f, elements_[i]->value);
  }

 private:
  template <typename, typename, ets_key_usage_type>
  friend class enumerable_thread_specific;
  template <typename, typename>
  friend class IndexedIterator;

  using Maker = std::function<void(void*)>;
  // What is no more than its bytes is kept as it is. The rest is shared by the copies of the
  // container, for it need not be something that can be copied.
  template <typename Arg, typename... Args>
  static Maker MakerOf(Arg&& arg, Args&&... args) {
    if constexpr (sizeof...(Args) == 0 &&
                  std::is_trivially_copy_constructible_v<std::decay_t<Arg>>) {
      return [kept = std::decay_t<Arg>(arg)](void* memory) { ::new (memory) Element(kept); };
    } else {
      using Arguments = std::tuple<std::decay_t<Arg>, std::decay_t<Args>...>;
      return [arguments = std::make_shared<const Arguments>(
                  std::forward<Arg>(arg), std::forward<Args>(args)...)](void* memory) {
        std::apply([memory](const auto&... as) { ::new (memory) Element(as...); }, *arguments);
      };
    }
  }
  // Without objects yet; what fails afterwards loses none.
  struct Like {};
  explicit enumerable_thread_specific(Like) {}
  enumerable_thread_specific(Like, const Maker& make) : make_(make) {}

  struct FromCall {};
  // Other allocators need not give more than T asks for.
  static constexpr std::size_t kLeastAlignment =
      decltype(d1::GivesAnyAlignment(std::declval<const Allocator*>(),
                                     std::declval<const Allocator* const*>()))::value
          ? filch::kCacheLineSize
          : 1;
  // No other one is on its cache lines, whatever the allocator.
  struct Element {
    Element() : value() {}
    template <typename F>
    Element(FromCall, F& make) : value(make()) {}
    template <typename... Args, typename = std::enable_if_t<sizeof...(Args) != 0>>
    explicit Element(Args&&... args) : value(std::forward<Args>(args)...) {}
    Element(const Element&) = delete;
    Element& operator=(const Element&) = delete;

    alignas(T) alignas(kLeastAlignment) T value;
    std::uintptr_t thread = filch::ThreadNumber();
    unsigned char apart[filch::kCacheLineSize];
  };
  using Memory = typename std::allocator_traits<Allocator>::template rebind_alloc<Element>;

  static void Delete(Element* element) {
    Memory memory;
    element->~Element();
    std::allocator_traits<Memory>::deallocate(memory, element, 1);
  }
  struct Deleter {
    void operator()(Element* element) const { Delete(element); }
  };
  using Owned = std::unique_ptr<Element, Deleter>;

  template <typename Construct>
  static Owned New(const Construct& construct) {
    Memory memory;
    Element* const element = std::allocator_traits<Memory>::allocate(memory, 1);
    FILCH_TRY { construct(element); }
    FILCH_CATCH_ALL {
      std::allocator_traits<Memory>::deallocate(memory, element, 1);
      FILCH_RETHROW;
    }
    return Owned(element);
  }

  // Made without the lock: the function may do anything; if it waits, another task may have made
  // this thread's object meanwhile.
  template <typename Construct>
  __attribute__((noinline)) Element& Make(const Construct& construct) {
    Owned element = New(construct);
    if (Element* const found = elements_.Find()) return *found;
    elements_.Insert(element->thread, element.get());
    return *element.release();
  }
  template <typename Other>
  void CopyFrom(const Other& other) {
    elements_.Reserve(other.size());
    for (std::size_t i = 0; i < other.size(); ++i) {
      const auto& from = *other.elements_[i];
      Take(from.value, from.thread);
    }
  }
  template <typename Other>
  void MoveFrom(Other& other) {
    elements_.Reserve(other.size());
    for (std::size_t i = 0; i < other.size(); ++i) {
      auto& from = *other.elements_[i];
      Take(std::move(from.value), from.thread);
    }
    other.clear();
  }
  template <typename Value>
  void Take(Value&& value, std::uintptr_t thread) {
    Owned element = New([&](void* memory) {
      (::new (memory) Element(std::forward<Value>(value)))->thread = thread;
    });
    elements_.Insert(thread, element.get());
    static_cast<void>(element.release());
  }
  void Swap(enumerable_thread_specific& other) {
    make_.swap(other.make_);
    elements_.Swap(other.elements_);
  }

  std::ptrdiff_t Size() const { return static_cast<std::ptrdiff_t>(size()); }
  T& At(std::ptrdiff_t index) const { return elements_[static_cast<std::size_t>(index)]->value; }

  Maker make_;
  ThreadElements<Element, Allocator> elements_;
};

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d1::enumerable_thread_specific;
using detail::d1::ets_key_per_instance;
using detail::d1::ets_key_usage_type;
using detail::d1::ets_no_key;
using detail::d1::ets_suspend_aware;
using detail::d1::flatten2d;
using detail::d1::flattened2d;
}  // namespace v1
#ifdef FILCH_TBB_CLASSIC
// Where TBB 2020 defines them, and some programs look for them.
namespace interface6 {
using detail::d1::enumerable_thread_specific;
using detail::d1::flatten2d;
using detail::d1::flattened2d;
}  // namespace interface6
#endif
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_ENUMERABLE_THREAD_SPECIFIC_H_
