// GroupBinding: whether a group's context has been put where those that run something in the group
// are, and by whom it is taken away again.
//
// A group that is a local variable of the task that runs something in it first is bound at home,
// for good, by a plain store. Any other is bound by its first runner, and until a wait is over: of
// the threads that wait, one ends that, unless somebody has run something meanwhile. `Group` is
// what the binding is about, and knows what the calling thread works for:
//
//   bool IsComplete();         // whether no task of the group is left
//   State Bind();              // puts the context where it is to be; how that ends; may throw
//   void Unbind(State state);  // ends what Bind said so
//   void BringHome();          // the context stands at home, also if it does already
//   void Pause();              // the calling thread has looked in vain, and looks again
//
// Who runs something where BindHere was false makes the group incomplete before it calls
// BindElsewhere, and who calls Unbind has seen it complete before.
//
// Any thread.
// Memory ordering: who binds the context elsewhere, and who ends that, do so one after the other,
// and who ends it sees what those have counted who found it bound so (B1 of README.md). For those
// who only work in the context its tree has edges of its own.
#ifndef FILCH_TBB_COMPAT_DETAIL_GROUP_BINDING_H_
#define FILCH_TBB_COMPAT_DETAIL_GROUP_BINDING_H_

#include <atomic>

#include "filch/topology/std_atomics.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace d1 {

template <typename Atomics = filch::StdAtomics>
class BasicGroupBinding {
 public:
  enum class State {
    kNone,
    kHome,     // for good
    kAlone,    // for good, below nothing
    kVisit,    // until a wait: where it was run first, or where it was anyway
    kForUser,  // the same of a context of the caller's, which the group uses
    kEnding,   // one of the last two, while a thread that has waited looks whether that is over
    kBinding,  // none, while a thread binds it elsewhere
  };

  // Whether what is above the context concerns the group; a hint.
  bool IsBound() const {
    const State state = binding_.load(std::memory_order_relaxed);  // B1: a hint
    return state != State::kNone && state != State::kBinding;
  }
  // Whether Unbind(kForUser) is left to do, when nobody else is there.
  bool IsForUser() const {
    return binding_.load(std::memory_order_relaxed) == State::kForUser;  // B1: nobody else is there
  }

  // Whether it is bound at home now; else it may have to be bound elsewhere, by a thread that has
  // made the group incomplete. at_home() says whether the calling thread works for what is above
  // the context at home.
  template <typename AtHome>
  bool BindHere(const AtHome& at_home) {
    // B1: who binds it at home needs no order; the tree has its own edges.
    const State state = binding_.load(std::memory_order_relaxed);
    if (state == State::kHome) return true;
    if (__builtin_expect(state != State::kNone, 0)) return false;
    if (__builtin_expect(!at_home(), 0)) return false;
    binding_.store(State::kHome, std::memory_order_relaxed);  // B1: twice does no harm
    return true;
  }

  // Where the calling thread is, unless it is bound already. Throws what Bind throws, and then it
  // is not bound.
  template <typename Group>
  void BindElsewhere(Group&& group) {
    for (;;) {
      State state = binding_.load(std::memory_order_acquire);  // B1: alone, and where that is
      switch (state) {
        case State::kNone:
          if (binding_.compare_exchange_weak(state, State::kBinding,
                                             std::memory_order_acquire,  // B1: after the last end
                                             std::memory_order_relaxed)) {  // B1: looks again
            Change change(binding_);
            change.to = group.Bind();
            return;
          }
          break;
        case State::kHome:
        case State::kAlone:
          return;
        case State::kVisit:
        case State::kForUser:
          // Who ends it says so in the same word after that, and sees that the group is not
          // complete.
          if (binding_.compare_exchange_weak(state, state,
                                             std::memory_order_release,     // B1: what is counted
                                             std::memory_order_relaxed)) {  // B1: looks again
            return;
          }
          break;
        case State::kBinding:
        case State::kEnding:
          group.Pause();
      }
    }
  }

  // After a wait: ends what is not for good, unless others have begun to run something again; who
  // waits for that does.
  template <typename Group>
  void Unbind(Group&& group) {
    State state = binding_.load(std::memory_order_relaxed);  // B1: looked at again
    for (;;) {
      switch (state) {
        case State::kNone:
        case State::kBinding:
        case State::kAlone:
          return;
        case State::kHome:
          // A thread elsewhere may have bound it at the same time.
          group.BringHome();
          return;
        case State::kVisit:
        case State::kForUser:
          if (binding_.compare_exchange_weak(state, State::kEnding,
                                             std::memory_order_acquire,     // B1: only one does
                                             std::memory_order_relaxed)) {  // B1: looked at again
            return End(group, state);
          }
          break;
        case State::kEnding:
          // It is over when the wait of this thread is, who may run something next.
          group.Pause();
          state = binding_.load(std::memory_order_relaxed);  // B1: looked at again
      }
    }
  }

 private:
  using Word = typename Atomics::template Atomic<State>;

  // What was said for a while ends, unless somebody at home, who had looked before, has bound it
  // there: that is for good.
  static void Say(Word& word, State meanwhile, State then) {
    word.compare_exchange_strong(meanwhile, then,
                                 std::memory_order_release,   // B1: where it is, or was
                                 std::memory_order_relaxed);  // B1: twice does no harm
  }

  // While a thread binds it.
  struct Change {
    explicit Change(Word& its_word) : word(its_word) {}
    ~Change() { Say(word, State::kBinding, to); }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

    Word& word;
    State to = State::kNone;
  };

  // By the thread that has said kEnding, of what was bound so.
  template <typename Group>
  void End(Group& group, State state) {
    // As long as this was said others could not bind it, and who did before had something to run.
    if (!group.IsComplete()) return Say(binding_, State::kEnding, state);
    group.Unbind(state);
    Say(binding_, State::kEnding, State::kNone);
  }

  Word binding_{State::kNone};
};

using GroupBinding = BasicGroupBinding<>;

}  // namespace d1
}  // namespace filch_1
}  // namespace detail
}  // namespace tbb

#endif  // FILCH_TBB_COMPAT_DETAIL_GROUP_BINDING_H_
