#include "filch/pool/placed_loop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/hand_over.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/task.h"
#include "filch/pool/wait_group.h"
#include "filch/topology/tick_clock.h"

namespace filch {
namespace pool_internal {
namespace {

// Notes where the units of a body run.
class NotingBody final : public LoopBody {
 public:
  NotingBody(LoopBody& body, UnitPlaces& places)
      : LoopBody(body.kind()), body_(body), places_(places) {}

  void Run(UnitInterval units, void** segment) override {
    const auto here = static_cast<std::uint32_t>(CurrentSlot().index);
    for (std::uint32_t unit = units.begin; unit != units.end; ++unit) places_.Note(unit, here);
    body_.Run(units, segment);
  }

 private:
  LoopBody& body_;
  UnitPlaces& places_;
};

// Neighbouring units on their way to a slot.
class Delivery final : public Task {
 public:
  Delivery() : Task(&Delivery::Arrive, nullptr) {}
  ~Delivery() = default;

  // `one_each`: each unit has a slot of its own.
  void Prepare(SharedLoop& loop, UnitInterval units, bool one_each, WaitGroup& group) {
    loop_ = &loop;
    units_ = units;
    one_each_ = one_each;
    group_ = &group;
    set_context(&group.context());
    group.Add();
  }

 private:
  static Task* Arrive(Task& task, Execution& execution) noexcept {
    auto& self = static_cast<Delivery&>(task);
    WaitGroup& group = *self.group_;
    if (!execution.cancelled) {
      if (self.one_each_) {
        self.loop_->RunOne(self.units_);
      } else {
        self.loop_->Accept(execution.slot, self.units_);
      }
    }
    group.Done(execution);
    return nullptr;
  }

  SharedLoop* loop_ = nullptr;
  UnitInterval units_;
  bool one_each_ = false;
  WaitGroup* group_ = nullptr;
};

struct Placed {
  UnitInterval units;
  std::uint32_t place;
};

// All units; neighbours with the same place together.
std::vector<Placed> Neighbours(const std::vector<std::uint32_t>& place_of) {
  std::vector<Placed> runs;
  for (std::uint32_t unit = 0; unit != place_of.size(); ++unit) {
    if (!runs.empty() && runs.back().place == place_of[unit]) {
      ++runs.back().units.end;
    } else {
      runs.push_back({{unit, unit + 1}, place_of[unit]});
    }
  }
  return runs;
}

// As many units for each place below `places` as before, all of them neighbours, in the order
// in which the places lie on average.
std::vector<Placed> Gathered(const std::vector<std::uint32_t>& place_of, std::uint32_t places) {
  struct Share {
    std::uint32_t place;
    std::uint32_t count;
    double sum;  // of the numbers of its units
  };
  std::vector<Share> shares(places);
  for (std::uint32_t place = 0; place != places; ++place) shares[place] = {place, 0, 0.0};
  for (std::uint32_t unit = 0; unit != place_of.size(); ++unit) {
    ++shares[place_of[unit]].count;
    shares[place_of[unit]].sum += unit;
  }
  shares.erase(std::remove_if(shares.begin(), shares.end(),
                              [](const Share& share) { return share.count == 0; }),
               shares.end());
  std::sort(shares.begin(), shares.end(),
            [](const Share& a, const Share& b) { return a.sum * b.count < b.sum * a.count; });
  std::vector<Placed> runs;
  std::uint32_t begin = 0;
  for (const Share& share : shares) {
    runs.push_back({{begin, begin + share.count}, share.place});
    begin += share.count;
  }
  return runs;
}

// Where the units shall run: in one of the first `slots` slots or in `own`, which may be the
// extra one.  Those that nobody has run, or whose slot is another one, belong to `own`.
std::vector<Placed> PlacesFor(std::uint32_t units, const UnitPlaces& places, std::uint32_t own,
                              std::uint32_t slots) {
  // A theft may leave a run of its own, for good, and each run of another slot is a letter of
  // its own: sixteen runs on two slots made loops of 6 us twice as long.
  std::vector<std::uint32_t> place_of(units);
  for (std::uint32_t unit = 0; unit != units; ++unit) {
    const std::uint32_t place = places.PlaceOf(unit);
    place_of[unit] = place < slots ? place : own;
  }
  std::vector<Placed> runs = Neighbours(place_of);
  const std::uint32_t different = std::max(slots, own + 1);
  if (runs.size() > different) return Gathered(place_of, different);
  return runs;
}

bool HasPlace(const std::vector<Placed>& runs, std::uint32_t place) {
  return std::any_of(runs.begin(), runs.end(),
                     [place](const Placed& run) { return run.place == place; });
}

// Gives something to the threads in slots that have nothing, if all of them look for work: half of
// what is longest.  They would come for it anyway, one after the other, if the units are long
// enough.
void GiveToIdle(std::vector<Placed>& runs, std::uint32_t own, std::uint32_t slots, Arena& arena) {
  std::vector<std::uint32_t> idle;
  for (std::uint32_t place = 0; place != slots; ++place) {
    const bool occupied =
        arena.slot(static_cast<int>(place)).occupied.load(std::memory_order_relaxed);  // O1: a hint
    if (occupied && place != own && !HasPlace(runs, place)) idle.push_back(place);
  }
  if (arena.ApproximateSearchers() < static_cast<int>(idle.size())) return;
  for (const std::uint32_t place : idle) {
    const auto longest = std::max_element(
        runs.begin(), runs.end(),
        [](const Placed& a, const Placed& b) { return a.units.size() < b.units.size(); });
    if (longest->units.size() < 2) return;
    const UnitInterval half = TakeUpper(&longest->units, longest->units.size() / 2);
    runs.insert(longest + 1, {half, place});
  }
}

// Whether each unit has a slot of its own: then there is nothing that others could take.
bool IsOneEach(const std::vector<Placed>& runs, std::uint32_t units) {
  if (runs.size() != units) return false;
  std::vector<std::uint32_t> taken;
  taken.reserve(runs.size());
  for (const Placed& run : runs) taken.push_back(run.place);
  std::sort(taken.begin(), taken.end());
  return std::adjacent_find(taken.begin(), taken.end()) == taken.end();
}

}  // namespace

void RunPlacedLoop(LoopBody& body, std::uint32_t units, UnitPlaces& places, Context& context,
                   Slot& slot) {
  Arena& arena = *slot.arena;
  const auto own = static_cast<std::uint32_t>(slot.index);
  const auto slots = static_cast<std::uint32_t>(arena.concurrency());
  std::vector<Placed> runs = PlacesFor(units, places, own, slots);
  GiveToIdle(runs, own, slots, arena);
  const bool one_each = IsOneEach(runs, units);
  const std::unique_ptr<Delivery[]> deliveries(new Delivery[runs.size()]);
  NotingBody noting(body, places);
  SharedLoop loop(noting, context, slot);
  WaitGroup group(context);
  // There is no mail for the extra slot; whoever is there finds its neighbour's.
  const auto address = [&](const Placed& run) {
    return static_cast<int>(std::min(run.place, slots - 1));
  };
  // What others have to do is sent before this thread begins; all that it has
  // itself but the first lies in its deque meanwhile.
  UnitInterval first;
  for (std::size_t i = 0; i != runs.size(); ++i) {
    const Placed& run = runs[i];
    if (run.place == own && first.empty()) {
      first = run.units;
      continue;
    }
    deliveries[i].Prepare(loop, run.units, one_each, group);
    try {
      if (run.place == own) {
        group.Spawn(deliveries[i]);
        continue;
      }
    } catch (...) {  // memory is short, and mail needs none
    }
    arena.Post(deliveries[i], address(run), slot.isolation);
  }
  const std::uint64_t begin = Ticks();
  const auto run = [&](UnitInterval mine) {
    if (one_each) {
      loop.RunOne(mine);
    } else {
      loop.Participate(slot, mine, nullptr);
    }
  };
  if (!first.empty()) run(first);
  if (!first.empty() && Ticks() - begin < kHandOver) {
    for (std::size_t i = 0; i != runs.size(); ++i) {
      if (runs[i].place == own || !arena.TakeBack(deliveries[i], address(runs[i]))) continue;
      run(runs[i].units);
      group.Withdraw();
    }
  }
  if (!AwaitBriefly([&group] { return group.IsComplete(); })) group.WaitForTasks();
}

}  // namespace pool_internal
}  // namespace filch
