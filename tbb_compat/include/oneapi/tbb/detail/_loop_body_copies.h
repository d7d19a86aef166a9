// LoopBodyCopies: the bodies of a parallel_for, of which none is called by two threads at once.
//
// A body is called as const, and may still have scratch data that its calls change: in a
// mutable member, which its copy constructor makes anew. So each call is of a copy that no
// other call is using, and the program's own object, from which the threads copy, is never
// called. That is what programs rely on with oneTBB, which copies the body into every task.
//
// What is a copy, and how often it is made, depends on the body:
//
// * One without data has nothing to change, and is shared.
// * A small one that is copied by its bytes (a lambda with references) is copied to the stack
//   for every call of With.
// * Of any other one there is a copy for each thread that has come to the loop, and another
//   one if a call waits and its thread meanwhile runs other parts of the same loop. They live
//   until the loop is over. The first is no block of its own, unless it is large.
//
// Any thread, as the functions say. A copy's constructor may throw, and run loops itself.
#ifndef FILCH_TBB_COMPAT_DETAIL_LOOP_BODY_COPIES_H_
#define FILCH_TBB_COMPAT_DETAIL_LOOP_BODY_COPIES_H_

#include <atomic>
#include <memory>
#include <thread>
#include <type_traits>

#include "_config.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

// Whether all threads may call the same object. Specialized for bodies of these headers.
template <typename Body>
inline constexpr bool SharesBody = std::is_empty_v<Body> || std::is_function_v<Body>;

// One object for all.
template <typename Body>
class SharedBody {
 public:
  static constexpr bool kByThread = false;

  explicit SharedBody(const Body& body) : body_(body) {}
  template <typename Run>
  void With(void**, const Run& run) {
    run(body_);
  }

 private:
  const Body& body_;
};

// One for each call of With.
template <typename Body>
class BodyForEachCall {
 public:
  static constexpr bool kByThread = false;

  explicit BodyForEachCall(const Body& original) : original_(original) {}
  template <typename Run>
  void With(void**, const Run& run) {
    const Body body(original_);
    run(body);
  }

 private:
  const Body& original_;
};

// One for each thread, or more.
template <typename Body>
class BodyForEachThread {
 public:
  static constexpr bool kByThread = true;

  // Throws what the copy throws.
  explicit BodyForEachThread(const Body& original)
      : original_(original), first_(original, nullptr), copies_(First()) {}
  ~BodyForEachThread() {
    Copy* copy = copies_.load(std::memory_order_relaxed);  // R5: the loop is over
    while (copy != First()) {
      const std::unique_ptr<Copy> gone(copy);
      copy = copy->next;
    }
  }
  BodyForEachThread(const BodyForEachThread&) = delete;
  BodyForEachThread& operator=(const BodyForEachThread&) = delete;

  // Throws what the copy throws, and std::bad_alloc.
  template <typename Run>
  void With(void** segment, const Run& run) {
    if (*segment == nullptr) *segment = &OfThisThread();
    auto* copy = static_cast<Copy*>(*segment);
    if (__builtin_expect(copy->busy, 0)) copy = &OfThisThread();
    const Use use(*copy);
    run(copy->body);
  }

 private:
  struct Copy {
    Copy(const Body& original, Copy* others) : body(original), next(others) {}

    const Body body;
    // Who may use it, and nobody else looks at the rest.
    const std::thread::id owner = std::this_thread::get_id();
    bool busy = false;
    Copy* next;
  };

  // In place of a first copy that would take too much of the stack.
  struct NoCopy {
    NoCopy(const Body&, Copy*) {}
  };
  static constexpr bool kFirstIsHere = sizeof(Copy) <= 4096;

  Copy* First() {
    if constexpr (kFirstIsHere) {
      return &first_;
    } else {
      return nullptr;
    }
  }

  // While a copy is called.
  class Use {
   public:
    explicit Use(Copy& copy) : copy_(copy) { copy_.busy = true; }
    ~Use() { copy_.busy = false; }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Copy& copy_;
  };

  // One that the calling thread may use now.
  Copy& OfThisThread() {
    const std::thread::id here = std::this_thread::get_id();
    Copy* newest = copies_.load(std::memory_order_acquire);  // R5: whose copies they are
    for (Copy* copy = newest; copy != nullptr; copy = copy->next) {
      if (copy->owner == here && !copy->busy) return *copy;
    }
    auto* const made = new Copy(original_, newest);
    while (!copies_.compare_exchange_weak(made->next, made,
                                          std::memory_order_release,     // R5: publishes the copy
                                          std::memory_order_relaxed)) {  // R5: tried again
    }
    return *made;
  }

  const Body& original_;
  std::conditional_t<kFirstIsHere, Copy, NoCopy> first_;
  std::atomic<Copy*> copies_;
};

template <typename Body>
constexpr bool IsCopiedForEachCall() {
  if constexpr (std::is_trivially_copyable_v<Body> &&
                std::is_trivially_copy_constructible_v<Body>) {
    return sizeof(Body) <= 128;  // a few nanoseconds
  }
  return false;
}

// With(segment, run) calls run(body) with a body that nobody else calls meanwhile. `*segment`
// is the caller's, and null before the first call with it; all those with the same one come
// from one thread, unless kByThread is false.
template <typename Body>
using LoopBodyCopies =
    std::conditional_t<SharesBody<Body>, SharedBody<Body>,
                       std::conditional_t<d1::IsCopiedForEachCall<Body>(), BodyForEachCall<Body>,
                                          BodyForEachThread<Body>>>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_LOOP_BODY_COPIES_H_
