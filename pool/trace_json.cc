#include "filch/pool/trace_json.h"

#include <cinttypes>
#include <cstdio>

namespace filch {
namespace pool_internal {
namespace {

const char* RuleName(std::uint8_t rule) {
  static const char* const names[] = {"none",     "returned",     "successor", "own deque",
                                      "affinity", "shared queue", "steal"};
  return rule < sizeof(names) / sizeof(names[0]) ? names[rule] : "unknown";
}

// The format's unit is the microsecond.
std::string Microseconds(std::int64_t nanoseconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%" PRId64 ".%03d", nanoseconds / 1000,
                static_cast<int>(nanoseconds % 1000));
  return text;
}

}  // namespace

void TraceJson::Add(const std::string& object) {
  if (!objects_.empty()) objects_ += ",\n";
  objects_ += object;
}

void TraceJson::AddBox(const char* name, const TraceEvent& begin, std::int64_t end,
                       const char* rule) {
  std::string box = "{\"name\": \"" + std::string(name) +
                    "\", \"ph\": \"X\", \"pid\": 1, \"tid\": " + std::to_string(rows_) +
                    ", \"ts\": " + Microseconds(begin.nanoseconds) +
                    ", \"dur\": " + Microseconds(end - begin.nanoseconds);
  if (rule != nullptr) box += ", \"args\": {\"rule\": \"" + std::string(rule) + "\"}";
  Add(box + "}");
}

void TraceJson::AddRow(const std::string& name, const std::vector<TraceEvent>& events) {
  ++rows_;
  Add("{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 1, \"tid\": " + std::to_string(rows_) +
      ", \"args\": {\"name\": \"" + name + "\"}}");
  // Boxes of one slot lie inside each other: a task ends before the one on whose
  // stack it runs.
  std::vector<const TraceEvent*> open;
  const auto close = [&](std::int64_t end) {
    const TraceEvent& begin = *open.back();
    open.pop_back();
    if (begin.kind == TraceKind::kTaskBegin) {
      AddBox("task", begin, end, RuleName(begin.detail));
    } else {
      AddBox("parked", begin, end, nullptr);
    }
  };
  for (const TraceEvent& event : events) {
    switch (event.kind) {
      case TraceKind::kTaskBegin:
      case TraceKind::kParkBegin:
        open.push_back(&event);
        break;
      case TraceKind::kTaskEnd:
      case TraceKind::kParkEnd:
        if (!open.empty()) close(event.nanoseconds);  // else its beginning is forgotten
        break;
      case TraceKind::kWake:
        Add("{\"name\": \"wake\", \"ph\": \"i\", \"s\": \"t\", \"pid\": 1, \"tid\": " +
            std::to_string(rows_) + ", \"ts\": " + Microseconds(event.nanoseconds) + "}");
        break;
    }
  }
  while (!open.empty()) close(events.back().nanoseconds);
}

std::string TraceJson::Text() const {
  return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n" + objects_ + "\n]}\n";
}

}  // namespace pool_internal
}  // namespace filch
