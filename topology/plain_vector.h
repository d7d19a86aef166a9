// PlainVector: a std::vector whose layout does not depend on how a program is compiled.
//
// With _GLIBCXX_DEBUG a std::vector is another class, and a larger one.  A program that is compiled
// so works with a library that is not, as long as nothing that both of them look into has one.
#ifndef FILCH_TOPOLOGY_PLAIN_VECTOR_H_
#define FILCH_TOPOLOGY_PLAIN_VECTOR_H_

#include <vector>

namespace filch {

#ifdef _GLIBCXX_DEBUG
template <typename T>
using PlainVector = std::__cxx1998::vector<T>;
#else
template <typename T>
using PlainVector = std::vector<T>;
#endif

}  // namespace filch

#endif  // FILCH_TOPOLOGY_PLAIN_VECTOR_H_
