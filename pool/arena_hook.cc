#include "filch/pool/arena_hook.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "filch/pool/first_use.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/newest_hook.h"
#include "filch/pool/slot.h"
#include "filch/topology/contract.h"

namespace filch {
namespace pool_internal {

// The calls of a hook, for as long as it is added or somebody is in one of them or in Remove.
// All under the list's mutex.
struct HookCalls {
  int running = 0;   // of all threads
  int removers = 0;  // threads that are in Remove
  bool hook_is_gone = false;
  // Of the running calls, those in which a thread is that is in Remove: nobody who is in a
  // call himself waits for these.
  int removing = 0;
};

namespace {

// The calls of hooks that the thread is in, each on the way through the hooks for an arena.
struct Call {
  HookCalls* of;  // the hook itself may be gone when it returns
  // What comes next in the two lists, once the call is over.
  ArenaHook* next_here;
  ArenaHook* next_everywhere;
  Call* outer;
  ListLink<Call> link;  // of all threads' calls
};

thread_local Call* innermost_call = nullptr;
thread_local bool calling_thread_is_worker = false;

int OwnCallsOf(const HookCalls& calls) {
  int own = 0;
  for (const Call* call = innermost_call; call != nullptr; call = call->outer) {
    own += call->of == &calls ? 1 : 0;
  }
  return own;
}

// The stay ends: whoever is new is not told of it any more.
constexpr std::uint64_t kLeaving = UINT64_MAX;

// Whether the thread is in another arena as well, and the hook with this number, if it is
// one for all arenas, was told of that.
bool IsToldOutside(const Slot& slot, std::uint64_t number) {
  for (const Slot* outer = slot.outer; outer != nullptr; outer = outer->outer) {
    if (outer->hooks_told >= number && outer->hooks_told != kLeaving) return true;
  }
  return false;
}

}  // namespace

// All hooks.
class HookList final : private ForkListener {
 public:
  HookList() : ForkListener(Order::kLast) { ForkedChild::Tell(*this); }

  void Add(ArenaHook& hook, const Arena* arena) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (hook.number_ != 0) Fail("filch::ArenaHook::Add: the hook has been added already.");
    if (hook.calls_ == nullptr) {
      hook.calls_ = spare_ != nullptr ? spare_.release() : new HookCalls;
    }
    hook.arena_ = arena;
    hook.number_ = ++last_number_;
    ListFor(arena).PushBack(hook);
    PublishNewest(arena);
  }

  void Remove(ArenaHook& hook) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (hook.number_ != 0) {
      hook.number_ = 0;
      for (Call& call : running_) {
        if (call.next_here == &hook) call.next_here = Hooks::Next(hook);
        if (call.next_everywhere == &hook) call.next_everywhere = Hooks::Next(hook);
      }
      ListFor(hook.arena_).Remove(hook);
      PublishNewest(hook.arena_);
    }
    // Another one who removes it may destroy the hook meanwhile.
    HookCalls* const calls = hook.calls_;
    if (calls == nullptr) return;
    if (calls->running == 0 && calls->removers == 0) {
      // The usual case; the hook may end without a look at the list.
      hook.calls_ = nullptr;
      return Drop(calls);
    }
    const int own = OwnCallsOf(*calls);
    ++calls->removers;
    calls->removing += own;
    if (own != 0 && calls->removers > 1) call_ended_.notify_all();
    call_ended_.wait(lock, [&calls, own] {
      // A forked child has none of the threads that are in a call.
      return calls->running == (own == 0 ? 0 : calls->removing) || ForkedChild::IsThisProcess();
    });
    calls->removing -= own;
    --calls->removers;
    DropIfUnused(calls);
  }

  // The hook is destroyed, maybe within one of its calls.
  void Forget(HookCalls* calls) {
    const std::lock_guard<std::mutex> lock(mutex_);
    calls->hook_is_gone = true;
    DropIfUnused(calls);
  }

  // Calls the hooks for the stay's arena that it was not told to, one after the other, up to
  // the one with the number `last`.
  void TellOfEntry(Slot& slot, std::uint64_t last) {
    std::unique_lock<std::mutex> lock(mutex_);
    Call call = WayThrough(FirstAfter(ListFor(slot.arena), slot.hooks_told),
                           FirstAfter(everywhere_, slot.hooks_told));
    // A hook that waits inside its call tells the others from there.
    while (slot.hooks_told < last) {
      ArenaHook* const hook = Next(call, slot.arena);
      if (hook == nullptr || hook->number_ > last) break;
      if (hook->number_ <= slot.hooks_told) continue;
      slot.hooks_told = hook->number_;
      // Also if it was told of another stay: that may end before this one.
      slot.hooks_heard = true;
      if (hook->arena_ == nullptr && IsToldOutside(slot, hook->number_)) continue;
      MakeCall(call, *hook, &ArenaHook::OnEnter, lock);
    }
  }

  // Those up to the number `told`.
  void TellOfLeave(const Slot& slot, std::uint64_t told) {
    std::unique_lock<std::mutex> lock(mutex_);
    Call call = WayThrough(ListFor(slot.arena).first(), everywhere_.first());
    while (ArenaHook* const hook = Next(call, slot.arena)) {
      if (hook->number_ > told) break;
      if (hook->arena_ == nullptr && IsToldOutside(slot, hook->number_)) continue;
      MakeCall(call, *hook, &ArenaHook::OnLeave, lock);
    }
  }

  bool Has(const Arena& arena) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return AtOrAfter(ListFor(&arena).first(), &arena) != nullptr;
  }

 private:
  // Hooks by rising number: those for the arenas that share one, or those for all.
  using Hooks = LinkedList<ArenaHook, &ArenaHook::link_>;

  void LockForFork() override { mutex_.lock(); }
  void UnlockAfterFork() override { mutex_.unlock(); }
  // Of the calls only those of the one thread are left.
  void BeginInChild(bool) override {
    running_ = {};
    for (Call* call = innermost_call; call != nullptr; call = call->outer) {
      running_.PushFront(*call);
    }
  }

  void DropIfUnused(HookCalls* calls) {
    if (calls->hook_is_gone && calls->running == 0 && calls->removers == 0) Drop(calls);
  }
  // The next hook gets them as new.
  void Drop(HookCalls* calls) {
    *calls = HookCalls();
    spare_.reset(calls);
  }

  Hooks& ListFor(const Arena* arena) {
    return arena == nullptr ? everywhere_ : here_[HookIndexOf(arena)];
  }
  static std::uint64_t NewestIn(const Hooks& hooks) {
    return hooks.last() == nullptr ? 0 : hooks.last()->number_;
  }

  // A hook for this arena, or for all, has been added or removed.
  void PublishNewest(const Arena* arena) {
    if (arena != nullptr) return PublishNewest(HookIndexOf(arena));
    for (std::size_t i = 0; i < kHookIndices; ++i) PublishNewest(i);
  }
  void PublishNewest(std::size_t which) {
    newest_hooks[which].store(std::max(NewestIn(here_[which]), NewestIn(everywhere_)),
                              std::memory_order_relaxed);  // H1: the mutex orders the rest
  }

  // The first hook with a higher number.  From the end, for most stays have heard of those
  // before it.
  static ArenaHook* FirstAfter(const Hooks& hooks, std::uint64_t number) {
    if (number == 0) return hooks.first();
    ArenaHook* first = nullptr;
    for (ArenaHook* hook = hooks.last(); hook != nullptr; hook = Hooks::Previous(*hook)) {
      if (hook->number_ <= number) break;
      first = hook;
    }
    return first;
  }
  // From `hook` on the first one that is for the arena, whose number others may have, too.
  static ArenaHook* AtOrAfter(ArenaHook* hook, const Arena* arena) {
    while (hook != nullptr && hook->arena_ != arena) hook = Hooks::Next(*hook);
    return hook;
  }

  static Call WayThrough(ArenaHook* here, ArenaHook* everywhere) {
    return {nullptr, here, everywhere, nullptr, {}};
  }
  // The next one on the way, or null.
  static ArenaHook* Next(Call& call, const Arena* arena) {
    call.next_here = AtOrAfter(call.next_here, arena);
    ArenaHook* const here = call.next_here;
    ArenaHook* const everywhere = call.next_everywhere;
    if (here == nullptr && everywhere == nullptr) return nullptr;
    if (everywhere == nullptr || (here != nullptr && here->number_ < everywhere->number_)) {
      call.next_here = Hooks::Next(*here);
      return here;
    }
    call.next_everywhere = Hooks::Next(*everywhere);
    return everywhere;
  }

  void MakeCall(Call& call, ArenaHook& hook, void (ArenaHook::*method)(bool) noexcept,
                std::unique_lock<std::mutex>& lock) {
    call.of = hook.calls_;
    call.outer = innermost_call;
    ++call.of->running;
    running_.PushFront(call);
    lock.unlock();
    innermost_call = &call;
    (hook.*method)(calling_thread_is_worker);
    innermost_call = call.outer;
    lock.lock();
    running_.Remove(call);
    --call.of->running;
    if (call.of->removers != 0) call_ended_.notify_all();
    DropIfUnused(call.of);
  }

  std::mutex mutex_;
  std::condition_variable call_ended_;
  Hooks everywhere_;
  Hooks here_[kHookIndices];
  LinkedList<Call, &Call::link> running_;
  std::uint64_t last_number_ = 0;
  std::unique_ptr<HookCalls> spare_;
};

namespace {

// Never destroyed: threads leave their arenas while statics go away.
HookList& TheHooks() {
  static FirstUse<HookList> hooks;
  return hooks.Get();
}

}  // namespace

void MarkCallingThreadAsWorker() { calling_thread_is_worker = true; }

void TellHooksOfEntry(Slot& slot) {
  const std::uint64_t last =
      slot.newest_hook->load(std::memory_order_relaxed);  // H1: the list is read after it
  TheHooks().TellOfEntry(slot, last);
  slot.hooks_told = std::max(slot.hooks_told, last);
}

void TellHooksOfLeave(Slot& slot) {
  const std::uint64_t told = std::exchange(slot.hooks_told, kLeaving);
  // Otherwise there were only hooks for other arenas.
  if (std::exchange(slot.hooks_heard, false)) TheHooks().TellOfLeave(slot, told);
  slot.hooks_told = 0;
}

bool ArenaHasHook(const Arena& arena) {
  // H1: a hint; who adds a hook for an arena uses the arena at that time.
  return newest_hooks[HookIndexOf(&arena)].load(std::memory_order_relaxed) != 0 &&
         TheHooks().Has(arena);
}

}  // namespace pool_internal

void ArenaHook::Add(const Arena* arena) {
  pool_internal::TheHooks().Add(*this, arena);
  pool_internal::Slot* const slot = pool_internal::current_slot;
  if (slot == nullptr || (arena != nullptr && arena != slot->arena)) return;
  pool_internal::TellHooksOfEntry(*slot);
}

void ArenaHook::Forget() { pool_internal::TheHooks().Forget(calls_); }

void ArenaHook::Remove() { pool_internal::TheHooks().Remove(*this); }

}  // namespace filch
