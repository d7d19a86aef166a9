// FILCH_TRY, FILCH_CATCH_ALL, FILCH_RETHROW: try, catch (...) and throw in headers that
// are also compiled without exceptions (-fno-exceptions).
//
// With exceptions they are the words themselves.  Without, the block runs, and the handler
// is compiled and never entered: nothing in that program throws, and what the library
// throws (std::bad_alloc) ends it, as an exception that nobody catches does.
//
//   FILCH_TRY { f(); }
//   FILCH_CATCH_ALL {
//     CleanUp();
//     FILCH_RETHROW;
//   }
//
// For headers only: sources of the library have exceptions, and say try.  A header has its
// exceptions thrown by a function of a source file.
#ifndef FILCH_TOPOLOGY_CATCH_ALL_H_
#define FILCH_TOPOLOGY_CATCH_ALL_H_

#ifdef __cpp_exceptions
#define FILCH_TRY try
#define FILCH_CATCH_ALL catch (...)
#define FILCH_RETHROW throw
#else
#define FILCH_TRY if constexpr (true)
#define FILCH_CATCH_ALL else
#define FILCH_RETHROW static_cast<void>(0)
#endif

#endif  // FILCH_TOPOLOGY_CATCH_ALL_H_
