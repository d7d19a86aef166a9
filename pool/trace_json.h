// Traces as the JSON that chrome://tracing and Perfetto show: a row for each slot
// and each worker, a box for each task and each sleep.  Not synchronized.
#ifndef FILCH_POOL_TRACE_JSON_H_
#define FILCH_POOL_TRACE_JSON_H_

#include <cstdint>
#include <string>
#include <vector>

#include "filch/pool/trace_buffer.h"

namespace filch {
namespace pool_internal {

class TraceJson {
 public:
  // A row of the picture.  What began before the first event or ends after the
  // last one is drawn up to there.
  void AddRow(const std::string& name, const std::vector<TraceEvent>& events);

  // The whole document.
  std::string Text() const;

 private:
  void AddBox(const char* name, const TraceEvent& begin, std::int64_t end, const char* rule);
  void Add(const std::string& object);

  std::string objects_;
  int rows_ = 0;
};

}  // namespace pool_internal
}  // namespace filch

#endif  // FILCH_POOL_TRACE_JSON_H_
