// A context below one that may end first: the production source of context_tree.h and
// context_word.h, put together as context.cc does.
#ifndef FILCH_TESTS_MODEL_POOL_CONTEXT_SCENARIOS_H_
#define FILCH_TESTS_MODEL_POOL_CONTEXT_SCENARIOS_H_

#include <memory>

#include "filch/pool/context_tree.h"
#include "filch/pool/context_word.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

// A host and its guests, each freed when it ends: whoever touches it afterwards is caught.
struct TreeFixture {
  using Tree = pool_internal::BasicContextTree<PoolModelAtomics, ModelMutex>;
  struct Context {
    explicit Context(Tree::Node* parent) : node(parent) {}
    Tree::Node node;
    Tree::Guest guest;
  };

  Tree::Guests guests;
  std::unique_ptr<Tree::Node> host;
  std::unique_ptr<Context> contexts[2];
  // What a host does to its guest, and the guest's memory when it is somebody else's.
  Plain<int> memory[2];
  // The same of the host.
  const Tree::Node* host_place = nullptr;
  Plain<int> host_memory;
  // As SlowDispatch: whoever ends a cancelled context takes back what cancelling it has added.
  Atomic<int> cancelled;

  void SetUp(int count) {
    host = std::make_unique<Tree::Node>(nullptr);
    host_place = host.get();
    for (int i = 0; i < count; ++i) contexts[i] = std::make_unique<Context>(nullptr);
  }
  void CancelWord(pool_internal::BasicContextWord<PoolModelAtomics>& word) {
    if (word.Cancel()) cancelled.fetch_add(1, std::memory_order_relaxed);
  }
  void Visit(int i) { contexts[i]->guest.Visit(guests, contexts[i]->node, *host); }
  // Whether the context or one above it is cancelled.
  bool IsCancelled(int i) {
    const auto all = [this]() -> Tree::Guests& { return guests; };
    for (Tree::Ascent<decltype(all)> ascent(contexts[i]->node, all); ascent.at() != nullptr;
         ascent.Rise()) {
      if (ascent.at() == host_place) RL_ASSERT(host_memory == 0);
      if (ascent.at()->word().is_cancelled()) return true;
    }
    return false;
  }
  void Close(pool_internal::BasicContextWord<PoolModelAtomics>& word) {
    if (word.Resume()) cancelled.fetch_sub(1, std::memory_order_relaxed);
  }
  // As ~Context of a host whose tasks are over.
  void EndHost() {
    if (host->word().is_host()) {
      Tree::SendGuestsHome(guests, *host, host->word().is_cancelled(), [this](auto& word) {
        CancelWord(word);
        memory[contexts[0] == nullptr || &word != &contexts[0]->node.word()] = 1;
      });
    }
    Close(host->word());
    host.reset();
    host_memory = 1;
  }
  // As ~ContextGuest and ~Context.
  void End(int i) {
    if (contexts[i]->guest.is_visiting()) contexts[i]->guest.Leave(guests);
    Close(contexts[i]->node.word());
    contexts[i].reset();
    memory[i] = 2;
  }
  void CheckCancelled() { RL_ASSERT(cancelled.load(std::memory_order_relaxed) == 0); }
};

// C6: the host and its guests end at the same time; it was cancelled, and they are then.
template <unsigned kGuests>
struct GuestsEnd : rl::test_suite<GuestsEnd<kGuests>, kGuests + 1>, TreeFixture {
  void before() {
    SetUp(kGuests);
    CancelWord(host->word());
    for (unsigned i = 0; i < kGuests; ++i) Visit(static_cast<int>(i));
  }
  void thread(unsigned index) {
    if (index == 0) {
      EndHost();
    } else {
      const int own = static_cast<int>(index) - 1;
      RL_ASSERT(IsCancelled(own));
      End(own);
    }
  }
  void after() { CheckCancelled(); }
};

// C3, C6: a context becomes a guest, and its host ends, while another thread walks up from it.
template <bool kCancelled>
struct GuestComes : rl::test_suite<GuestComes<kCancelled>, 2>, TreeFixture {
  void before() {
    SetUp(1);
    if (kCancelled) CancelWord(host->word());
  }
  void thread(unsigned index) {
    if (index == 0) {
      Visit(0);
      EndHost();
    } else if (IsCancelled(0)) {
      // It stays so, whether the host is there or has just gone.
      RL_ASSERT(kCancelled && IsCancelled(0));
    }
  }
  void after() {
    RL_ASSERT(IsCancelled(0) == kCancelled);
    End(0);
    CheckCancelled();
  }
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_POOL_CONTEXT_SCENARIOS_H_
