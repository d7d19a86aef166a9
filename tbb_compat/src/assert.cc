#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "../include/oneapi/tbb/detail/_assert.h"
#include "../include/oneapi/tbb/detail/_classic_names.h"

namespace tbb {
namespace detail {
inline namespace filch_1 {
namespace r1 {
namespace {

std::atomic<assertion_handler_type> assertion_handler{nullptr};

}  // namespace

void assertion_failure(const char* location, int line, const char* expression,
                       const char* comment) {
  if (const auto handler = assertion_handler.load(std::memory_order_acquire)) {  // H1
    handler(location, line, expression, comment);
    return;
  }
  std::fprintf(stderr, "tbb: %s (%s is false in %s, line %d).\n",
               comment != nullptr ? comment : "an assertion does not hold", expression, location,
               line);
  std::fflush(stderr);
  std::abort();
}

assertion_handler_type set_assertion_handler(assertion_handler_type handler) noexcept {
  return assertion_handler.exchange(handler, std::memory_order_acq_rel);  // H1
}

assertion_handler_type get_assertion_handler() noexcept {
  return assertion_handler.load(std::memory_order_acquire);  // H1
}

}  // namespace r1
}  // namespace filch_1
}  // namespace detail

namespace internal {

void runtime_warning(const char* format, ...) {
  char text[1024];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "TBB Warning: %s\n", text);
}

}  // namespace internal
}  // namespace tbb
