// ContextTree: which contexts stand below which, while others look.
//
// A context outlives those below it, but for guests: these stand below a host that may end
// first.  When a host ends it sends its guests home: they have no parent any more.  So
// whoever walks up from a guest holds a lock, and above the guest nobody ends meanwhile.
//
// Memory ordering: what was done to a context before it became a parent is visible to
// whoever gets it from parent() (C3).  What a host does to its guest is visible to whoever
// finds by is_visiting() that it does not visit any more, and the guest may end then (C6).
#ifndef FILCH_POOL_CONTEXT_TREE_H_
#define FILCH_POOL_CONTEXT_TREE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "filch/pool/context_word.h"
#include "filch/pool/process_mutex.h"
#include "filch/topology/fibonacci_hash.h"
#include "filch/topology/std_atomics.h"

namespace filch {
namespace pool_internal {

// A model checker brings its own atomics and lock.
template <typename Atomics = StdAtomics, typename Mutex = std::mutex>
class BasicContextTree {
 public:
  class Guest;
  using Link = typename Atomics::template Plain<Guest*>;

  // A context's place.
  class Node {
   public:
    explicit Node(Node* parent) : parent_(parent) {}
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    BasicContextWord<Atomics>& word() { return word_; }
    const BasicContextWord<Atomics>& word() const { return word_; }

    // Any thread.
    void set_parent(Node* parent) {
      parent_.store(parent, std::memory_order_release);  // C3: the parent's construction
    }
    // Only to be looked into where it cannot end meanwhile; see Ascent.  Any thread.
    Node* parent() const {
      return parent_.load(std::memory_order_acquire);  // C3: it may be looked at
    }

   private:
    typename Atomics::template Atomic<Node*> parent_;
    BasicContextWord<Atomics> word_;
  };

  // All guests of the process, by their hosts' addresses.
  struct Guests {
    static constexpr std::size_t kBuckets = 64;

    Link& FirstOf(const Node& host) { return first[FibonacciIndex<kBuckets>(&host)]; }

    Mutex mutex;
    Link first[kBuckets] = {};
  };

  class Guest {
   public:
    Guest() = default;
    Guest(const Guest&) = delete;
    Guest& operator=(const Guest&) = delete;

    // Whether it is below a host.  A hint for other threads than the one that called Visit; to
    // that one, false says that the host is done with it.
    bool is_visiting() const {
      return node_.load(std::memory_order_acquire) != nullptr;  // C6: what the host did
    }

    // By a task of the host.
    void Visit(Guests& guests, Node& node, Node& host) {
      const std::lock_guard<Mutex> lock(guests.mutex);
      if (is_visiting()) return;  // another thread brought it here
      host_ = &host;
      Link& first = guests.FirstOf(host);
      Guest* const next = first;
      if (next != nullptr) next->link_ = &next_;
      link_ = &first;
      next_ = next;
      first = this;
      host.word().BecomeHost();
      node.word().BecomeGuest();
      node_.store(&node, std::memory_order_relaxed);  // C6: locked
      node.set_parent(&host);
    }
    // Any thread, also twice.
    void Leave(Guests& guests) {
      const std::lock_guard<Mutex> lock(guests.mutex);
      if (is_visiting()) Remove();
    }

   private:
    friend class BasicContextTree;

    // With the lock held.
    Node& node() const {
      return *node_.load(std::memory_order_relaxed);  // C6: locked
    }
    // With the lock held.  The guest and its node may be gone when it returns.
    void Remove() {
      Link* const link = link_;
      Guest* const next = next_;
      *link = next;
      if (next != nullptr) next->link_ = link;
      node().set_parent(nullptr);
      node_.store(nullptr, std::memory_order_release);  // C6: the last that is done to it
    }

    typename Atomics::template Atomic<Node*> node_{nullptr};
    // Written and read with the lock held, while it visits.
    typename Atomics::template Plain<Node*> host_;
    Link next_;
    typename Atomics::template Plain<Link*> link_;  // what points to this guest
  };

  // The host ends, or goes elsewhere; its tasks are over.  Calls cancel(word) with the word of
  // each guest if `is_cancelled`.
  template <typename Cancel>
  static void SendGuestsHome(Guests& guests, Node& host, bool is_cancelled, const Cancel& cancel) {
    const std::lock_guard<Mutex> lock(guests.mutex);
    Guest* next = guests.FirstOf(host);
    while (Guest* const guest = next) {
      next = guest->next_;
      if (guest->host_ != &host) continue;
      if (is_cancelled) cancel(guest->node().word());
      guest->Remove();
    }
    host.word().BeHostNoMore();
  }

  // The way up from a context.  Above a guest nobody ends while it lasts.  `guests()` is where
  // all are.
  template <typename GetGuests>
  class Ascent {
   public:
    Ascent(const Node& from, const GetGuests& guests) : at_(&from), guests_(guests) {}

    const Node* at() const { return at_; }
    void Rise() {
      const Node* const above = at_->parent();
      // A parent that is a host came after the flag.
      if (__builtin_expect(at_->word().is_guest(), 0) && !lock_.owns_lock()) {
        // Another look at the guest itself: the host may just have cancelled it and gone.
        lock_ = std::unique_lock<Mutex>(guests_().mutex);
      } else {
        at_ = above;
      }
    }

   private:
    const Node* at_;
    const GetGuests guests_;
    std::unique_lock<Mutex> lock_;
  };
};

// Its lock is one of a few in the process.
using ContextTree = BasicContextTree<StdAtomics, ProcessMutex>;

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_CONTEXT_TREE_H_
