// JsonObject: one JSON object, written member by member.
//
// A writer only, without numbers that JSON does not have (an infinite double
// becomes null).  Bytes that are not UTF-8 become U+FFFD, so that the result is
// valid whatever a file name contains.  One thread.
//
// Example:
//   JsonObject object;
//   object.Add("workload", "fib");
//   if (!WriteJson(object, "")) return 1;  // to stdout
#ifndef FILCH_TOOLS_DEMO_PROGRAMS_JSON_OBJECT_H_
#define FILCH_TOOLS_DEMO_PROGRAMS_JSON_OBJECT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace demo {

class JsonObject {
 public:
  void Add(std::string_view name, std::string_view text);
  void Add(std::string_view name, const char* text) { Add(name, std::string_view(text)); }
  void Add(std::string_view name, double number);
  void Add(std::string_view name, std::int64_t number);
  void Add(std::string_view name, int number) { Add(name, static_cast<std::int64_t>(number)); }
  void Add(std::string_view name, const JsonObject& object);
  void Add(std::string_view name, const std::vector<double>& numbers);
  void Add(std::string_view name, const std::vector<std::string>& texts);
  void Add(std::string_view name, const std::vector<JsonObject>& objects);

  std::string str() const { return "{" + members_ + "}"; }

 private:
  void AddRaw(std::string_view name, const std::string& value);

  std::string members_;
};

// Writes the object and a line feed to `file`, or to stdout if that is empty.
// Says on stderr what went wrong if the result is false.
bool WriteJson(const JsonObject& object, const std::string& file);

}  // namespace demo

#endif  // FILCH_TOOLS_DEMO_PROGRAMS_JSON_OBJECT_H_
