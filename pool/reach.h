// Reach: how far a thief goes that finds nothing on offer in a victim's slot (rule 6).
//
// Memory ordering: none; these are values.
#ifndef FILCH_POOL_REACH_H_
#define FILCH_POOL_REACH_H_

namespace filch {
namespace pool_internal {

struct Reach {
  // Shares what the victim has not shared though it was asked, in its name, which
  // interrupts every processor that runs the program.
  bool forces = false;
  // Takes the mail of slots whose thread may still come for it.
  bool takes_mail = false;
};

constexpr bool operator==(const Reach& a, const Reach& b) {
  return a.forces == b.forces && a.takes_mail == b.takes_mail;
}

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_REACH_H_
