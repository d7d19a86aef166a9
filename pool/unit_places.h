// UnitPlaces: which slot ran which unit of a loop, for the next run of the loop.
//
// Whoever repeats loops over the same data keeps one and gives it to each run; only
// one loop uses it at a time.  A place is a hint.
//
// A place is the number of a slot.  That of an arena's extra slot is noted like any other, but
// the next loop sends nothing there, as nobody may come there again: what ran there belongs to
// the thread that runs the loop, wherever that is.
#ifndef FILCH_POOL_UNIT_PLACES_H_
#define FILCH_POOL_UNIT_PLACES_H_

#include <cstdint>

namespace filch {

class UnitPlaces {
 public:
  // The loop that begins has so many units.  Throws std::bad_alloc.
  virtual void Begin(std::uint32_t units) = 0;
  // The slot that ran the unit last; a number that no slot has, if it is not known.
  virtual std::uint32_t PlaceOf(std::uint32_t unit) const = 0;
  // The slot runs the unit.  Any thread.
  virtual void Note(std::uint32_t unit, std::uint32_t slot) = 0;

 protected:
  ~UnitPlaces() = default;
};

}  // namespace filch

#endif  // FILCH_POOL_UNIT_PLACES_H_
