// Reach: how far a thief goes that finds nothing on offer in a victim's slot (rule 6).
//
// Memory ordering: none; these are values.
#ifndef FILCH_POOL_REACH_H_
#define FILCH_POOL_REACH_H_

namespace filch {
namespace pool_internal {

// Each includes those before it.
enum class Reach {
  // What the victim shares; it is asked to share more.
  kOffered,
  // What it has not shared though it was asked: shares it in its name, which interrupts
  // every processor that runs the program.
  kPrivate,
  // The mail of slots whose thread may still come for it.
  kMail,
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_REACH_H_
