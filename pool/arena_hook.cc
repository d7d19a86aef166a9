#include "filch/pool/arena_hook.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "filch/pool/first_use.h"
#include "filch/pool/forked_child.h"
#include "filch/pool/newest_hook.h"
#include "filch/pool/process_mutex.h"
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

// A call of a hook that the thread is in.
struct Call {
  HookCalls* of;  // the hook itself may be gone when it returns
  Call* outer;
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

}  // namespace

// All hooks, by rising number.
class HookList {
 public:
  void Add(ArenaHook& hook, const Arena* arena) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (hook.number_ != 0) Fail("filch::ArenaHook::Add: the hook has been added already.");
    if (spare_ == nullptr) spare_ = std::make_unique<HookCalls>();
    hooks_.push_back(&hook);
    if (hook.calls_ == nullptr) hook.calls_ = spare_.release();
    hook.arena_ = arena;
    hook.number_ = ++last_number_;
    PublishNewest(arena);
  }

  void Remove(ArenaHook& hook) {
    std::unique_lock<std::mutex> lock(mutex_);
    if (hook.number_ != 0) {
      hook.number_ = 0;
      hooks_.erase(std::find(hooks_.begin(), hooks_.end(), &hook));
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

  // Calls the hooks for the arena whose numbers are at most `last`, one after the
  // other, if wants(number, everywhere) when its turn has come.
  template <typename Wants>
  void Tell(const Arena* arena, std::uint64_t last, void (ArenaHook::*method)(bool) noexcept,
            const Wants& wants) {
    std::uint64_t after = 0;
    std::unique_lock<std::mutex> lock(mutex_);
    while (ArenaHook* const hook = Next(arena, after)) {
      if (hook->number_ > last) break;
      after = hook->number_;
      if (!wants(after, hook->arena_ == nullptr)) continue;
      Call call{hook->calls_, innermost_call};
      ++call.of->running;
      lock.unlock();
      innermost_call = &call;
      (hook->*method)(calling_thread_is_worker);
      innermost_call = call.outer;
      lock.lock();
      --call.of->running;
      if (call.of->removers != 0) call_ended_.notify_all();
      DropIfUnused(call.of);
    }
  }

  bool Has(const Arena& arena) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return std::any_of(hooks_.begin(), hooks_.end(),
                       [&arena](const ArenaHook* hook) { return hook->arena_ == &arena; });
  }

  static constexpr auto kEnter = &ArenaHook::OnEnter;
  static constexpr auto kLeave = &ArenaHook::OnLeave;

 private:
  void DropIfUnused(HookCalls* calls) {
    if (calls->hook_is_gone && calls->running == 0 && calls->removers == 0) Drop(calls);
  }
  // The next hook gets them as new.
  void Drop(HookCalls* calls) {
    *calls = HookCalls();
    spare_.reset(calls);
  }

  // A hook for this arena, or for all, has been added or removed.
  void PublishNewest(const Arena* arena) {
    if (arena != nullptr) return PublishNewest(HookNumberOf(arena));
    for (std::size_t i = 0; i < kHookNumbers; ++i) PublishNewest(i);
  }
  void PublishNewest(std::size_t which) {
    const auto newest =
        std::find_if(hooks_.rbegin(), hooks_.rend(), [which](const ArenaHook* hook) {
          return hook->arena_ == nullptr || HookNumberOf(hook->arena_) == which;
        });
    newest_hooks[which].store(newest == hooks_.rend() ? 0 : (*newest)->number_,
                              std::memory_order_relaxed);  // H1: the mutex orders the rest
  }

  ArenaHook* Next(const Arena* arena, std::uint64_t after) const {
    for (ArenaHook* const hook : hooks_) {
      if (hook->number_ > after && (hook->arena_ == nullptr || hook->arena_ == arena)) return hook;
    }
    return nullptr;
  }

  ProcessMutex mutex_;
  std::condition_variable call_ended_;
  std::vector<ArenaHook*> hooks_;
  std::uint64_t last_number_ = 0;
  std::unique_ptr<HookCalls> spare_;
};

namespace {

// Never destroyed: threads leave their arenas while statics go away.
HookList& TheHooks() {
  static FirstUse<HookList> hooks;
  return hooks.Get([](void* memory) { return ::new (memory) HookList; });
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

void MarkCallingThreadAsWorker() { calling_thread_is_worker = true; }

void TellHooksOfEntry(Slot& slot) {
  const std::uint64_t last =
      slot.newest_hook->load(std::memory_order_relaxed);  // H1: the list is read after it
  // A hook that waits inside its call tells the others from there.
  TheHooks().Tell(slot.arena, last, HookList::kEnter,
                  [&slot](std::uint64_t number, bool everywhere) {
                    if (number <= slot.hooks_told) return false;
                    slot.hooks_told = number;
                    return !everywhere || !IsToldOutside(slot, number);
                  });
  slot.hooks_told = std::max(slot.hooks_told, last);
}

void TellHooksOfLeave(Slot& slot) {
  const std::uint64_t told = slot.hooks_told;
  slot.hooks_told = kLeaving;
  TheHooks().Tell(slot.arena, told, HookList::kLeave,
                  [&slot](std::uint64_t number, bool everywhere) {
                    return !everywhere || !IsToldOutside(slot, number);
                  });
  slot.hooks_told = 0;
}

bool ArenaHasHook(const Arena& arena) {
  // H1: a hint; who adds a hook for an arena uses the arena at that time.
  return newest_hooks[HookNumberOf(&arena)].load(std::memory_order_relaxed) != 0 &&
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
