#include "filch/pool/placed_loop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "filch/partitioner/unit_interval.h"
#include "filch/pool/arena.h"
#include "filch/pool/current_slot.h"
#include "filch/pool/dealt_loop.h"
#include "filch/pool/loop_history.h"
#include "filch/pool/pace.h"
#include "filch/pool/shared_loop.h"
#include "filch/pool/unit_tree.h"
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

// All units; neighbours with the same place together.
template <typename PlaceOf>
std::vector<DealtUnits> Neighbours(std::uint32_t units, const PlaceOf& place_of) {
  std::vector<DealtUnits> runs;
  for (std::uint32_t unit = 0; unit != units; ++unit) {
    const std::uint32_t place = place_of(unit);
    if (!runs.empty() && runs.back().slot == place) {
      ++runs.back().units.end;
    } else {
      if (runs.empty()) runs.reserve(2);  // two threads have one each, as a rule
      runs.push_back({{unit, unit + 1}, place});
    }
  }
  return runs;
}

// As many units for each place below `places` as before, all of them neighbours, in the order
// in which the places lie on average.
template <typename PlaceOf>
std::vector<DealtUnits> Gathered(std::uint32_t units, const PlaceOf& place_of,
                                 std::uint32_t places) {
  struct Share {
    std::uint32_t place;
    std::uint32_t count;
    double sum;  // of the numbers of its units
  };
  std::vector<Share> shares(places);
  for (std::uint32_t place = 0; place != places; ++place) shares[place] = {place, 0, 0.0};
  for (std::uint32_t unit = 0; unit != units; ++unit) {
    Share& share = shares[place_of(unit)];
    ++share.count;
    share.sum += unit;
  }
  shares.erase(std::remove_if(shares.begin(), shares.end(),
                              [](const Share& share) { return share.count == 0; }),
               shares.end());
  std::sort(shares.begin(), shares.end(),
            [](const Share& a, const Share& b) { return a.sum * b.count < b.sum * a.count; });
  std::vector<DealtUnits> runs;
  std::uint32_t begin = 0;
  for (const Share& share : shares) {
    runs.push_back({{begin, begin + share.count}, share.place});
    begin += share.count;
  }
  return runs;
}

// Where the units shall run: in one of the first `slots` slots or in `own`, which may be the
// extra one.  Those that nobody has run, or whose slot is another one, belong to `own`.
std::vector<DealtUnits> PlacesFor(std::uint32_t units, const UnitPlaces& places, std::uint32_t own,
                                  std::uint32_t slots) {
  // A theft may leave a run of its own, for good, and each run of another slot is a letter of
  // its own: sixteen runs on two slots made loops of 6 us twice as long.
  const auto place_of = [&](std::uint32_t unit) {
    const std::uint32_t place = places.PlaceOf(unit);
    return place < slots ? place : own;
  };
  std::vector<DealtUnits> runs = Neighbours(units, place_of);
  const std::uint32_t different = std::max(slots, own + 1);
  if (runs.size() > different) return Gathered(units, place_of, different);
  return runs;
}

// Gives half of what the place with most units has to another one, from its last units on.
// Whether there was something to give.
bool GiveHalfTo(std::uint32_t place, std::vector<DealtUnits>& runs,
                std::vector<std::uint32_t>& held) {
  const auto most = std::max_element(held.begin(), held.end());
  const auto giver = static_cast<std::uint32_t>(most - held.begin());
  const std::uint32_t half = *most / 2;
  std::uint32_t left = half;
  for (std::size_t i = runs.size(); left != 0 && i-- != 0;) {
    if (runs[i].slot != giver) continue;
    const std::uint32_t size = runs[i].units.size();
    if (size > left) {
      const UnitInterval given = TakeUpper(&runs[i].units, left);
      runs.insert(runs.begin() + static_cast<std::ptrdiff_t>(i) + 1, {given, place});
      left = 0;
    } else {
      runs[i].slot = place;
      left -= size;
    }
  }
  *most -= half;
  held[place] += half;
  return half != 0;
}

// Gives something to the threads in slots that have nothing, if all of them look for work: they
// would come for it anyway, one after the other, if the units are long enough.
void GiveToIdle(std::vector<DealtUnits>& runs, std::uint32_t own, std::uint32_t slots,
                Arena& arena) {
  // Neighbours have different ones.
  if (slots == 2 && own < slots && runs.size() == 2) return;
  std::vector<std::uint32_t> held(std::max(slots, own + 1));
  for (const DealtUnits& run : runs) held[run.slot] += run.units.size();
  std::vector<std::uint32_t> idle;
  for (std::uint32_t place = 0; place != slots; ++place) {
    if (held[place] != 0 || place == own) continue;
    if (arena.slots().IsOccupied(static_cast<int>(place))) idle.push_back(place);
  }
  if (arena.ApproximateSearchers() < static_cast<int>(idle.size())) return;
  for (const std::uint32_t place : idle) {
    if (!GiveHalfTo(place, runs, held)) return;
  }
}

// Whether there are two threads, as far as this one knows both awake, and few units: what is left
// in the deque comes to the other one sooner than mail, and costs its sender less.
bool AreFewForTwo(std::uint32_t units, const Slot& slot) {
  return slot.concurrency == 2 && slot.index < 2 && UnitTree::PieceForEach(units, 2) == 1 &&
         !slot.need_wake->IsAsked();
}

// What is over before others could begin stays here, unless they come.
void RunHere(LoopBody& body, std::uint32_t units, Context& context, Slot& slot) {
  if (AreFewForTwo(units, slot)) {
    void* segment = nullptr;
    UnitTree(body, context).Run(slot, {0, units}, &segment);
    return;
  }
  SharedLoop loop(body, context, slot);
  loop.BeginYoung();
  loop.Participate(slot, {0, units}, nullptr);
}

// Runs the shares; how long the thread's first one took.
std::uint64_t RunWherePlaced(LoopBody& body, std::uint32_t units,
                             const std::vector<DealtUnits>& runs, std::size_t first,
                             Context& context, Slot& slot) {
  // Neighbours have different slots.
  if (runs.size() == 2 && AreFewForTwo(units, slot)) {
    return UnitTree(body, context).RunBoth(slot, runs[first].units, runs[1 - first].units);
  }
  return RunDealtLoop(body, runs, context, slot);
}

}  // namespace

void RunPlacedLoop(LoopBody& body, std::uint32_t units, UnitPlaces& places, Context& context,
                   Slot& slot) {
  const auto slots = static_cast<std::uint32_t>(slot.concurrency);
  // What takes less takes longer in parts (16 virtual Intel Xeon processors, and two AMD EPYC ones,
  // 2026-11-27).  As the own part tells, which of two tiny ones takes up to twice as long as it
  // does in a loop that stays here: what others write lies beside what it writes.
  const std::uint64_t worth_parts = slots == 2 ? 3000 : 8000;
  auto& brief = LoopHistory::Own().brief_places;
  NotingBody noting(body, places);
  if (__builtin_expect(!slot.SendsMail(), 0)) return RunHere(noting, units, context, slot);
  if (brief.Contains(&places)) {
    const std::uint64_t begin = Ticks();
    RunHere(noting, units, context, slot);
    const std::uint64_t longest = slots == 2 ? worth_parts : 2 * worth_parts;
    if (!context.IsCancelled()) brief.Note(&places, Ticks() - begin < longest);
    return;
  }
  const auto own = static_cast<std::uint32_t>(slot.index);
  std::vector<DealtUnits> runs = PlacesFor(units, places, own, slots);
  GiveToIdle(runs, own, slots, *slot.arena);
  const auto first = std::find_if(runs.begin(), runs.end(),
                                  [own](const DealtUnits& run) { return run.slot == own; });
  if (first == runs.end()) {
    RunDealtLoop(noting, runs, context, slot);
    return;
  }
  const auto index = static_cast<std::size_t>(first - runs.begin());
  const std::uint64_t own_took = RunWherePlaced(noting, units, runs, index, context, slot);
  if (context.IsCancelled()) return;
  const Pace pace{first->units.size(), own_took};
  brief.Note(&places, pace.TimeOf(units) < worth_parts);
}

}  // namespace pool_internal
}  // namespace filch
