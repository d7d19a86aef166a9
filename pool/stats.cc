#include "filch/pool/stats.h"

#include <string>

namespace filch {

std::string PoolStats::ToJson() const {
  std::string json = "{";
  const auto member = [&json](const char* name, std::int64_t value) {
    if (json.size() > 1) json += ", ";
    json += '"';
    json += name;
    json += "\": ";
    json += std::to_string(value);
  };
  member("tasks", tasks);
  member("steals", steals);
  member("mails", mails);
  member("shared", shared);
  member("exposures", exposures);
  member("forced", forced);
  member("parks", parks);
  member("lookouts", lookouts);
  member("wakes", wakes);
  member("refused", refused);
  member("unbound", unbound);
  member("workers", workers);
  json += "}";
  return json;
}

}  // namespace filch
