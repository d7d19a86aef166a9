#include "tools/demo_programs/json_object.h"

#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace demo {
namespace {

std::string Text(std::string_view text) {
  JsonObject object;
  object.Add("t", text);
  return object.str();
}

TEST(JsonObjectTest, WritesEveryKindOfMember) {
  JsonObject inner;
  inner.Add("deep", 1);
  JsonObject object;
  object.Add("text", "a");
  object.Add("whole", -3);
  object.Add("real", 0.5);
  object.Add("object", inner);
  object.Add("numbers", std::vector<double>{1, 2.5});
  object.Add("texts", std::vector<std::string>{"x", "y"});
  object.Add("objects", std::vector<JsonObject>{inner, inner});
  EXPECT_EQ(object.str(),
            R"({"text": "a", "whole": -3, "real": 0.5, "object": {"deep": 1}, )"
            R"("numbers": [1, 2.5], "texts": ["x", "y"], "objects": [{"deep": 1}, {"deep": 1}]})");
  EXPECT_EQ(JsonObject().str(), "{}");
}

TEST(JsonObjectTest, WritesNullForWhatJsonHasNoNumberFor) {
  JsonObject object;
  object.Add("a", HUGE_VAL);
  object.Add("b", std::nan(""));
  EXPECT_EQ(object.str(), R"({"a": null, "b": null})");
}

TEST(JsonObjectTest, EscapesWhatMustBeEscaped) {
  EXPECT_EQ(Text("a\"b\\c\n\x01"), R"({"t": "a\"b\\c\u000a\u0001"})");
}

TEST(JsonObjectTest, KeepsUtf8AndReplacesEverythingElse) {
  EXPECT_EQ(Text("\u00e9\u20ac\U0001F600"), "{\"t\": \"\u00e9\u20ac\U0001F600\"}");
  // A lone continuation, a cut sequence, an overlong slash, a surrogate, and a
  // value past the last one.
  EXPECT_EQ(Text("\x80"), R"({"t": "\ufffd"})");
  EXPECT_EQ(Text("\xe2\x82"), R"({"t": "\ufffd\ufffd"})");
  EXPECT_EQ(Text("\xc0\xaf"), R"({"t": "\ufffd\ufffd"})");
  EXPECT_EQ(Text("\xed\xa0\x80"), R"({"t": "\ufffd\ufffd\ufffd"})");
  EXPECT_EQ(Text("\xf4\x90\x80\x80"), R"({"t": "\ufffd\ufffd\ufffd\ufffd"})");
}

TEST(JsonObjectTest, ReportsAFileThatCannotBeWritten) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(WriteJson(JsonObject(), "/dev/null/result.json"));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "The result cannot be written to /dev/null/result.json: Not a directory.\n");
  EXPECT_TRUE(WriteJson(JsonObject(), testing::TempDir() + "/result.json"));
}

}  // namespace
}  // namespace demo
