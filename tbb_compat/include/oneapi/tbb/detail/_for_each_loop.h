// ForEachLoop: calls a body on every item of a sequence, and on those that the body adds.
//
// What it knows from the beginning is cut like a loop. Else one thread at a time walks through the
// sequence and spawns tasks of a few items, which any thread may take apart; what the body adds is
// a task each.
//
// The thread that calls the algorithm.
#ifndef FILCH_TBB_COMPAT_DETAIL_FOR_EACH_LOOP_H_
#define FILCH_TBB_COMPAT_DETAIL_FOR_EACH_LOOP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "_config.h"
#include "_feeder.h"
#include "_small_object_pointer.h"
#include "filch/pool/context.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/join.h"
#include "filch/pool/parallel_for.h"
#include "filch/pool/spawned_plenty.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/catch_all.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d2 {

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

// As parallel_for_each, in a context that is bound.
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

}  // namespace d2
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_FOR_EACH_LOOP_H_
