#include "tools/demo_programs/json_object.h"

#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace demo {
namespace {

// The length of the well-formed UTF-8 sequence at the start of `text`, or 0.
// Overlong forms, surrogates and values past U+10FFFF are not well-formed.
std::size_t Utf8Length(std::string_view text) {
  const auto byte = [text](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const auto follows = [byte](std::size_t i) { return (byte(i) & 0xC0u) == 0x80u; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    return follows(1) && follows(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return follows(1) && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

std::string Quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = Utf8Length(text);
    const char first = text[0];
    if (length == 0) {
      result += "\\ufffd";
    } else if (first == '"' || first == '\\') {
      result += '\\';
      result += first;
    } else if (static_cast<unsigned char>(first) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(first));
      result += escape;
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + "\"";
}

std::string Number(double number) {
  if (!std::isfinite(number)) return "null";
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.9g", number);
  return digits;
}

template <typename Items, typename Text>
std::string List(const Items& items, Text text) {
  std::string result = "[";
  for (const auto& item : items) {
    if (result.size() > 1) result += ", ";
    result += text(item);
  }
  return result + "]";
}

}  // namespace

void JsonObject::AddRaw(std::string_view name, const std::string& value) {
  if (!members_.empty()) members_ += ", ";
  members_ += Quoted(name) + ": " + value;
}

void JsonObject::Add(std::string_view name, std::string_view text) { AddRaw(name, Quoted(text)); }

void JsonObject::Add(std::string_view name, double number) { AddRaw(name, Number(number)); }

void JsonObject::Add(std::string_view name, std::int64_t number) {
  AddRaw(name, std::to_string(number));
}

void JsonObject::Add(std::string_view name, const JsonObject& object) {
  AddRaw(name, object.str());
}

void JsonObject::Add(std::string_view name, const std::vector<double>& numbers) {
  AddRaw(name, List(numbers, Number));
}

void JsonObject::Add(std::string_view name, const std::vector<std::string>& texts) {
  AddRaw(name, List(texts, Quoted));
}

void JsonObject::Add(std::string_view name, const std::vector<JsonObject>& objects) {
  AddRaw(name, List(objects, [](const JsonObject& object) { return object.str(); }));
}

bool WriteJson(const JsonObject& object, const std::string& file) {
  const std::string line = object.str() + "\n";
  std::FILE* const out = file.empty() ? stdout : std::fopen(file.c_str(), "wb");
  bool good = out != nullptr && std::fwrite(line.data(), 1, line.size(), out) == line.size();
  if (out != nullptr) good = (file.empty() ? std::fflush(out) : std::fclose(out)) == 0 && good;
  if (!good) {
    std::fprintf(stderr, "The result cannot be written to %s: %s.\n",
                 file.empty() ? "stdout" : file.c_str(), std::strerror(errno));
  }
  return good;
}

}  // namespace demo
