// UsableRoots: which of the named directories can be walked, each once.
//
// Example:
//   std::vector<std::string> notes;
//   for (const std::string& root : UsableRoots(arguments, &notes)) ...
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_TREE_ROOTS_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_TREE_ROOTS_H_

#include <string>
#include <vector>

namespace demo {

// Sorted absolute paths without symbolic links, none inside another.  Adds a
// sentence to `notes` for every directory that is left out.
std::vector<std::string> UsableRoots(const std::vector<std::string>& directories,
                                     std::vector<std::string>* notes);

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_TREE_ROOTS_H_
