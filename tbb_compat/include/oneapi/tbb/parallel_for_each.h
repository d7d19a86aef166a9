// parallel_for_each: calls a body on every item of a sequence, on all threads of
// the arena; the body may add items while it runs.
//
// The body takes an item, or an item and a tbb::feeder of its type. Any thread.
// Exceptions and cancellation as in parallel_for. With random-access iterators
// the items are cut like a loop; others are walked through by one thread at a
// time, never far ahead of the items, and those of a single-pass sequence are
// copied first. No iterator is stepped from an item whose body has begun. What an
// iterator throws counts as what a body throws.
//
//   tbb::parallel_for_each(roots.begin(), roots.end(), [](Node* node, tbb::feeder<Node*>& more) {
//     for (Node* child : node->children) more.add(child);
//   });
#ifndef FILCH_TBB_COMPAT_PARALLEL_FOR_EACH_H_
#define FILCH_TBB_COMPAT_PARALLEL_FOR_EACH_H_

// clang-format off
#include "detail/_foreign_macros_begin.inc"  // first
// clang-format on

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "detail/_concepts.h"
#include "detail/_config.h"
#include "detail/_context_use.h"
#include "detail/_own_context.h"
#include "detail/_run_guarded.h"
#include "detail/_small_object_pointer.h"
#include "detail/_task_group_context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/join.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/spawned_plenty.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/catch_all.h"
#include "parallel_for.h"  // comes along

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Takes more items. Only while the call of the body that was given it lasts.
template <typename Item>
class feeder {
 public:
  void add(const Item& item) { add(Item(item)); }
  void add(Item&& item) {
    static_assert(std::is_move_constructible_v<Item>, "items that are added must move");
    Start(std::move(item));
  }

 protected:
  feeder() = default;
  ~feeder() = default;
  feeder(const feeder&) = delete;
  feeder& operator=(const feeder&) = delete;

 private:
  virtual void Start(Item&& item) = 0;
};

}  // namespace d1

namespace d2 {

using d1::feeder;

// Whether the body wants a feeder with what an iterator leads to.
template <typename Body, typename Reference, typename Item>
inline constexpr bool kTakesFeeder =
    std::disjunction_v<std::is_invocable<const Body&, Reference&&, feeder<Item>&>,
                       std::is_invocable<const Body&, Reference&, feeder<Item>&>,
                       std::is_invocable<const Body&, Item&&, feeder<Item>&>>;

// Calls the body with the item, and with the feeder if it wants one.  The item goes as
// what it is: an rvalue if it is ours or a moving iterator gave it, unless the body takes
// only lvalues; and an lvalue as an rvalue if the body takes nothing else.
template <typename Item, typename Body, typename Reference>
void CallBody(const Body& body, Reference&& item, [[maybe_unused]] feeder<Item>* to_feed) {
  d1::RunGuarded([&] {
    if constexpr (std::is_invocable_v<const Body&, Reference&&, feeder<Item>&>) {
      std::invoke(body, std::forward<Reference>(item), *to_feed);
    } else if constexpr (std::is_invocable_v<const Body&, Reference&, feeder<Item>&>) {
      std::invoke(body, item, *to_feed);
    } else if constexpr (std::is_invocable_v<const Body&, Item&&, feeder<Item>&>) {
      std::invoke(body, std::move(item), *to_feed);
    } else if constexpr (std::is_invocable_v<const Body&, Reference&&>) {
      std::invoke(body, std::forward<Reference>(item));
    } else if constexpr (std::is_invocable_v<const Body&, Reference&>) {
      std::invoke(body, item);
    } else {
      std::invoke(body, std::move(item));
    }
  });
}

// Calls call(i) for each i of [0, count), as a loop, and waits for them.
template <typename CallOne>
void CallAll(filch::Context& context, std::uint64_t count, filch::LoopSchedule schedule,
             const CallOne& call) {
  filch::ParallelForOptions options;
  options.context = &context;
  options.schedule = schedule;
  filch::ParallelForOffsets(
      count,
      [&](std::uint64_t begin, std::uint64_t end) {
        for (; begin != end && !context.IsCancelled(); ++begin) call(begin);
      },
      options);
}

// A parallel_for_each that does not know all its items from the beginning, while it runs: a body
// adds some, or only a walk finds them.
template <typename Body, typename Item>
class ForEachLoop final : public feeder<Item> {
 public:
  ForEachLoop(const Body& body, filch::Context& context) : body_(body), tasks_(context) {}

  template <typename Iterator>
  void Run(Iterator first, Iterator last) {
    FILCH_TRY { Walk(first, last, typename std::iterator_traits<Iterator>::iterator_category()); }
    FILCH_CATCH_ALL { tasks_.context().CaptureCurrentException(); }
    tasks_.Wait();
  }

 private:
  // How many items a task takes: more than one, because a thief that comes for a single one
  // pays more than a small body costs, and more still once there are plenty of tasks.  Each
  // item may be stolen again.
  static constexpr int kFewItems = 4;
  static constexpr int kManyItems = 16;

  void Start([[maybe_unused]] Item&& item) override {
    // Items that do not move are never added: no add() compiles for them.
    if constexpr (std::is_move_constructible_v<Item>) {
      tasks_.Run([this, owned = std::move(item)]() mutable { Call(std::move(owned)); });
    }
  }

  template <typename Iterator>
  void Walk(Iterator first, Iterator last, std::random_access_iterator_tag) {
    using Distance = typename std::iterator_traits<Iterator>::difference_type;
    CallAll(tasks_.context(), static_cast<std::uint64_t>(last - first),
            filch::LoopSchedule::kStealing,
            [&](std::uint64_t i) { Call(*(first + static_cast<Distance>(i))); });
  }

  // Some values, made in their place, which need not move.
  template <typename T, int capacity>
  class Block {
   public:
    static constexpr int kCapacity = capacity;

    Block() = default;
    ~Block() { std::destroy_n(items(), size_); }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    // Up to kCapacity of them.
    template <typename From>
    void Add(From&& from) {
      ::new (static_cast<void*>(items() + size_)) T(std::forward<From>(from));
      ++size_;
    }
    T* items() { return reinterpret_cast<T*>(memory_); }
    int size() const { return size_; }

   private:
    int size_ = 0;
    alignas(T) unsigned char memory_[static_cast<std::size_t>(capacity) * sizeof(T)];
  };

  // Calls the body with item_at(i) for each i of [0, count), which may wait for each other, with
  // whoever comes: the last block need not be spawned.
  template <typename ItemAt>
  void CallLast(int count, const ItemAt& item_at) {
    CallAll(tasks_.context(), static_cast<std::uint64_t>(count),
            filch::LoopSchedule::kStealingAtOnce, [&](std::uint64_t i) { Call(item_at(i)); });
  }

  template <typename Iterator>
  void Walk(Iterator first, Iterator last, std::forward_iterator_tag) {
    int size = kFewItems;
    while (!(first == last)) {
      if (tasks_.context().IsCancelled()) return;
      Iterator block = first;
      int count = 0;
      for (; count < size && !(first == last); ++first) ++count;
      if (first == last) {
        // An item may be gone when its body is over: nobody steps from one then.
        Block<Iterator, kManyItems> at;
        for (; at.size() < count; ++block) at.Add(block);
        return CallLast(count, [&](std::uint64_t i) -> decltype(auto) { return *at.items()[i]; });
      }
      if (filch::HasSpawnedPlenty()) {
        size = kManyItems;
        const bool walked = RunBeforeRest([&] { CallBlock(block, count); }, first, last);
        if (walked) return;
      } else {
        tasks_.Run([this, block, count]() mutable { CallBlock(block, count); });
      }
    }
  }

  // Calls run_block(), which may take long or wait for later items: meanwhile others may go
  // on with the walk, after all that was spawned.  True if somebody has.
  template <typename RunBlock, typename Iterator>
  bool RunBeforeRest(const RunBlock& run_block, const Iterator& first, const Iterator& last) {
    const auto* const here = &filch::pool_internal::CurrentSlot();
    bool walked = false;
    filch::Join(run_block, [&] {
      if (&filch::pool_internal::CurrentSlot() == here) return;
      walked = true;
      Walk(first, last, typename std::iterator_traits<Iterator>::iterator_category());
    });
    return walked;
  }

  // Calls the body with `count` items, the first of which `first` leads to.  Not const: an
  // iterator may be its own item, const where the iterator is.
  template <typename Iterator>
  void CallBlock(Iterator& first, int count) {
    if (tasks_.context().IsCancelled()) return;
    if (count == 1) {
      Call(*first);
      return;
    }
    Iterator rest = first;
    ++rest;
    filch::Join([&] { Call(*first); }, [&] { CallBlock(rest, count - 1); });
  }

  // Items of a single-pass sequence.
  using OwnBlock =
      Block<Item, std::clamp(static_cast<int>(384 / sizeof(Item)), kFewItems, kManyItems)>;

  template <typename Iterator>
  void Walk(Iterator first, Iterator last, std::input_iterator_tag) {
    int size = kFewItems;
    while (!(first == last)) {
      if (tasks_.context().IsCancelled()) return;
      d1::SmallPointer<OwnBlock> block = d1::MakeSmall<OwnBlock>();
      for (; block->size() < size && !(first == last); ++first) block->Add(*first);
      if (first == last) {
        Item* const items = block->items();
        return CallLast(block->size(),
                        [items](std::uint64_t i) -> Item&& { return std::move(items[i]); });
      }
      if (filch::HasSpawnedPlenty()) {
        size = OwnBlock::kCapacity;
        const bool walked = RunBeforeRest([&] { CallBlock(*block); }, first, last);
        if (walked) return;
      } else {
        tasks_.Run([this, owned = std::move(block)] { CallBlock(*owned); });
      }
    }
  }

  void CallBlock(OwnBlock& block) {
    auto item = std::make_move_iterator(block.items());
    CallBlock(item, block.size());
  }

  template <typename Reference>
  void Call(Reference&& item) {
    CallBody<Item>(body_, std::forward<Reference>(item), this);
  }

  const Body& body_;
  filch::WaitGroup tasks_;
};

// What a body gives a feeder for, or the type of the items if that cannot be seen: it is a
// template, is overloaded, or takes none.
template <typename F, typename Result, typename Item, typename T>
T FedBy(Result (F::*)(Item, feeder<T>&) const);
template <typename Body, typename Item, typename = void>
struct WorkItem {
  using type = std::remove_cv_t<Item>;
};
template <typename Body, typename Item>
struct WorkItem<Body, Item, std::void_t<decltype(d2::FedBy(&Body::operator()))>> {
  using type = decltype(d2::FedBy(&Body::operator()));
};

template <typename Iterator, typename Body>
void RunForEach(filch::Context& context, Iterator first, Iterator last, const Body& body) {
  if (first == last) return;
  using Traits = std::iterator_traits<Iterator>;
  using Item = typename WorkItem<Body, typename Traits::value_type>::type;
  if constexpr (std::is_base_of_v<std::random_access_iterator_tag,
                                  typename Traits::iterator_category> &&
                !kTakesFeeder<Body, typename Traits::reference, Item>) {
    using Distance = typename Traits::difference_type;
    CallAll(context, static_cast<std::uint64_t>(last - first), filch::LoopSchedule::kStealing,
            [&](std::uint64_t i) {
              CallBody<Item>(body, *(first + static_cast<Distance>(i)), nullptr);
            });
  } else {
    ForEachLoop<Body, Item> loop(body, context);
    loop.Run(first, last);
  }
}

#if __TBB_CPP20_CONCEPTS_PRESENT
// What its feeder takes need not be what an iterator leads to.
template <typename Body, typename Iterator>
using FeederFor = feeder<typename WorkItem<Body, d1::iterator_value<Iterator>>::type>;

// The four ways in which a body may take what an iterator leads to.
template <typename Body, typename Iterator>
concept parallel_for_each_body = std::invocable < const Body&,
        std::remove_reference_t<std::iter_reference_t<Iterator>>
&, FeederFor<Body, Iterator>& > ||
       std::invocable<const Body&, d1::iterator_value<Iterator>, FeederFor<Body, Iterator>&> ||
       std::invocable<const Body&, std::remove_reference_t<std::iter_reference_t<Iterator>>&> ||
       std::invocable<const Body&, d1::iterator_value<Iterator>>;
#endif

template <typename Iterator, typename Body>
__TBB_requires(std::input_iterator<Iterator>&& parallel_for_each_body<Body, Iterator>)
void parallel_for_each(Iterator first, Iterator last, const Body& body) {
  d1::WithOwnContext([&](filch::Context& c) { d2::RunForEach(c, first, last, body); });
}

template <typename Iterator, typename Body>
__TBB_requires(std::input_iterator<Iterator>&& parallel_for_each_body<Body, Iterator>)
void parallel_for_each(Iterator first, Iterator last, const Body& body,
                       d1::task_group_context& context) {
  d1::WithContext(context, [&](filch::Context& c) { d2::RunForEach(c, first, last, body); });
}

template <typename Range, typename Body>
__TBB_requires(d1::sequence_of<Range, std::input_iterator_tag>&&
                   parallel_for_each_body<Body, d1::sequence_iterator<Range>>)
auto parallel_for_each(Range& range, const Body& body)
    -> std::enable_if_t<!std::is_same_v<std::decay_t<Range>, Body>,
                        decltype(std::begin(range), void())> {
  d2::parallel_for_each(std::begin(range), std::end(range), body);
}

// What is not the caller's own has constant items.
template <typename Range, typename Body>
__TBB_requires(
    (!std::is_lvalue_reference_v<Range>)&&d1::sequence_of<const Range, std::input_iterator_tag>&&
        parallel_for_each_body<Body, d1::sequence_iterator<const Range>>)
auto parallel_for_each(Range&& range, const Body& body)
    -> std::enable_if_t<!std::is_lvalue_reference_v<Range> &&
                            !std::is_same_v<std::decay_t<Range>, Body>,
                        decltype(std::begin(range), void())> {
  d2::parallel_for_each(std::begin(std::as_const(range)), std::end(std::as_const(range)), body);
}

template <typename Range, typename Body>
__TBB_requires(d1::sequence_of<Range, std::input_iterator_tag>&&
                   parallel_for_each_body<Body, d1::sequence_iterator<Range>>)
auto parallel_for_each(Range& range, const Body& body, d1::task_group_context& context)
    -> decltype(std::begin(range), void()) {
  d2::parallel_for_each(std::begin(range), std::end(range), body, context);
}

template <typename Range, typename Body>
__TBB_requires(
    (!std::is_lvalue_reference_v<Range>)&&d1::sequence_of<const Range, std::input_iterator_tag>&&
        parallel_for_each_body<Body, d1::sequence_iterator<const Range>>)
auto parallel_for_each(Range&& range, const Body& body, d1::task_group_context& context)
    -> std::enable_if_t<!std::is_lvalue_reference_v<Range>, decltype(std::begin(range), void())> {
  d2::parallel_for_each(std::begin(std::as_const(range)), std::end(std::as_const(range)), body,
                        context);
}

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
inline namespace v1 {
using detail::d2::feeder;
using detail::d2::parallel_for_each;
}  // namespace v1
}  // namespace tbb

#include "detail/_foreign_macros_end.inc"

#endif  // FILCH_TBB_COMPAT_PARALLEL_FOR_EACH_H_
