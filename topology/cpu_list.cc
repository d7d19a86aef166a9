#include "filch/topology/cpu_list.h"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "filch/topology/cpu_set.h"

namespace filch {
namespace {

std::string_view StripWhiteSpace(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kWhite);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhite) - first + 1);
}

absl::Status NotAList(std::string_view text, const std::string& why) {
  return absl::InvalidArgumentError(
      absl::StrCat("\"", std::string(text), "\" is not a list of cpus like 0-3,8: ", why, "."));
}

// Takes a cpu number from the front of *rest; -1 if there is none in range.
int TakeCpu(std::string_view* rest) {
  int cpu = -1;
  const char* begin = rest->data();
  const char* end = begin + rest->size();
  if (begin == end || *begin < '0' || *begin > '9') return -1;
  const auto [stop, error] = std::from_chars(begin, end, cpu);
  if (error != std::errc() || cpu > CpuSet::kMaxCpu) return -1;
  rest->remove_prefix(static_cast<std::size_t>(stop - begin));
  return cpu;
}

bool TakeChar(std::string_view* rest, char c) {
  if (rest->empty() || rest->front() != c) return false;
  rest->remove_prefix(1);
  return true;
}

}  // namespace

absl::StatusOr<CpuSet> ParseCpuList(std::string_view text) {
  CpuSet set;
  std::string_view rest = StripWhiteSpace(text);
  if (rest.empty()) return set;
  do {
    const int first = TakeCpu(&rest);
    const int last = TakeChar(&rest, '-') ? TakeCpu(&rest) : first;
    if (first < 0 || last < 0) {
      return NotAList(text, absl::StrCat("expected a number from 0 to ", CpuSet::kMaxCpu));
    }
    if (last < first) return NotAList(text, "a range ends before it begins");
    set.AddRange(first, last);
  } while (TakeChar(&rest, ','));
  if (!rest.empty()) {
    return NotAList(text, absl::StrCat("cannot read \"", std::string(rest), "\""));
  }
  return set;
}

}  // namespace filch
