#include <tbb/global_control.h>
#include <tbb/task_group.h>

#include <stdexcept>
#include <string>

#include "gtest/gtest.h"

namespace {

std::string comment_seen;

void Note(const char* location, int line, const char* expression, const char* comment) {
  EXPECT_NE(location, nullptr);
  EXPECT_GT(line, 0);
  EXPECT_NE(expression, nullptr);
  comment_seen = comment;
}

[[noreturn]] void Throw(const char*, int, const char*, const char*) {
  throw std::domain_error("asserted");
}

TEST(AssertionHandlerTest, IsSetAndGivenBack) {
  EXPECT_EQ(tbb::ext::get_assertion_handler(), nullptr);
  EXPECT_EQ(tbb::ext::set_assertion_handler(&Note), nullptr);
  EXPECT_EQ(tbb::ext::get_assertion_handler(), &Note);
  EXPECT_EQ(tbb::ext::set_assertion_handler(nullptr), &Note);
  EXPECT_EQ(tbb::ext::get_assertion_handler(), nullptr);
}

TEST(AssertionHandlerTest, IsToldAndMayThrow) {
  tbb::task_group group;
  tbb::ext::set_assertion_handler(&Throw);
  EXPECT_THROW(group.run(tbb::task_handle()), std::domain_error);
  tbb::ext::set_assertion_handler(nullptr);
  group.wait();
}

TEST(AssertionHandlerTest, MayReturn) {
  tbb::ext::set_assertion_handler(&Note);
  tbb::detail::r1::assertion_failure("here", 1, "false", "a sentence");
  tbb::ext::set_assertion_handler(nullptr);
  EXPECT_EQ(comment_seen, "a sentence");
}

TEST(AssertionHandlerDeathTest, WithoutOneTheProgramEnds) {
  EXPECT_DEATH(tbb::detail::r1::assertion_failure("here", 1, "false", "a sentence"), "a sentence");
}

}  // namespace
