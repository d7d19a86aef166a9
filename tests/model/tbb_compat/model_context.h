// ModelContext: filch::Context and filch::ContextGuest for the checker, over the production source
// of the tree of contexts (pool/context_tree.h), put together as context.cc does.
//
// Nobody may look at a context that is over.
#ifndef FILCH_TESTS_MODEL_TBB_COMPAT_MODEL_CONTEXT_H_
#define FILCH_TESTS_MODEL_TBB_COMPAT_MODEL_CONTEXT_H_

#include <cstdint>

#include "filch/pool/context_tree.h"
#include "tests/model/pool/model_sleep.h"

namespace filch {
namespace model {

class ModelContext : public pool_internal::BasicContextTree<PoolModelAtomics, ModelMutex>::Node {
 public:
  using Tree = pool_internal::BasicContextTree<PoolModelAtomics, ModelMutex>;

  // All guests of the scenario.
  static Tree::Guests*& guests() {
    static Tree::Guests* guests = nullptr;
    return guests;
  }

  class Guest {
   public:
    void Visit(ModelContext& context, ModelContext& host) {
      context.Move();
      context_ = &context;
      guest_.Visit(*guests(), context, host);
    }
    void Leave() {
      context_->Move();
      guest_.Leave(*guests());
    }
    bool is_visiting() const { return guest_.is_visiting(); }

   private:
    ModelContext* context_ = nullptr;
    Tree::Guest guest_;
  };

  explicit ModelContext(ModelContext* parent = nullptr) : Node(parent) {}

  MutableAtomic<std::uint32_t>& notes() { return notes_; }
  ModelContext* parent() const { return static_cast<ModelContext*>(Node::parent()); }
  void set_parent(ModelContext* parent) {
    Move();
    Node::set_parent(parent);
  }
  // Several threads may move it at once.
  void BeMovedByAll() { moved_by_all_ = true; }
  void StandAlone() {
    PartWithGuests();
    set_parent(nullptr);
  }
  bool IsOrIsBelow(const ModelContext& other) const {
    return IsAny([&other](const ModelContext& context) { return &context == &other; });
  }
  bool IsCancelled() const {
    return IsAny([](const ModelContext& context) { return context.word().is_cancelled(); });
  }
  bool Cancel() { return word().Cancel(); }
  // As its destructor.
  void End() {
    PartWithGuests();
    over_ = true;
  }

 private:
  // Whether this is one, or any above.
  template <typename IsOne>
  bool IsAny(const IsOne& is_one) const {
    const auto all = []() -> Tree::Guests& { return *guests(); };
    for (Tree::Ascent<decltype(all)> ascent(*this, all); ascent.at() != nullptr; ascent.Rise()) {
      const auto& context = static_cast<const ModelContext&>(*ascent.at());
      RL_ASSERT(!context.over_);
      if (is_one(context)) return true;
    }
    return false;
  }
  void Move() {
    if (!moved_by_all_) moves_ += 1;
  }
  void PartWithGuests() {
    if (!word().is_host()) return;
    Tree::SendGuestsHome(
        *guests(), *this, IsCancelled(),
        [](pool_internal::BasicContextWord<PoolModelAtomics>& word) { word.Cancel(); });
  }

  MutableAtomic<std::uint32_t> notes_;
  // It is moved by one thread at a time, each after the last one, and by its host.
  bool moved_by_all_ = false;
  Plain<int> moves_;
  Plain<bool> over_;
};

}  // namespace model
}  // namespace filch

#endif  // FILCH_TESTS_MODEL_TBB_COMPAT_MODEL_CONTEXT_H_
