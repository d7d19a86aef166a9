#include "filch/pool/kept_result.h"

#include <memory>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

TEST(KeptResultTest, ValuesMoveOutOnce) {
  KeptResult<std::shared_ptr<int>> result;
  const auto value = std::make_shared<int>(7);
  result.KeepOf([&] { return value; });
  EXPECT_EQ(value.use_count(), 2);
  EXPECT_EQ(result.Take(), value);
  EXPECT_EQ(value.use_count(), 1);  // nothing is kept

  KeptResult<std::unique_ptr<int>> movable;
  movable.KeepOf([] { return std::make_unique<int>(3); });
  movable.KeepOf([] { return std::make_unique<int>(4); });
  EXPECT_EQ(*movable.Take(), 4);
}

TEST(KeptResultTest, WhatIsDroppedIsDestroyed) {
  const auto value = std::make_shared<int>(7);
  // Not on the stack, where gcc suspects what is not there of being used.
  const auto result = std::make_unique<KeptResult<std::shared_ptr<int>>>();
  result->KeepOf([&] { return value; });
  result->Drop();
  EXPECT_EQ(value.use_count(), 1);
}

TEST(KeptResultTest, ReferencesStayReferences) {
  int number = 1;
  KeptResult<int&> result;
  result.KeepOf([&]() -> int& { return number; });
  static_assert(std::is_same_v<decltype(result.Take()), int&>);
  EXPECT_EQ(&result.Take(), &number);

  KeptResult<int&&> rvalue;
  rvalue.KeepOf([&]() -> int&& { return std::move(number); });
  static_assert(std::is_same_v<decltype(rvalue.Take()), int&&>);
  int&& taken = rvalue.Take();
  EXPECT_EQ(&taken, &number);
}

TEST(KeptResultTest, FunctionsWithoutResultAreCalled) {
  int calls = 0;
  KeptResult<void> result;
  result.KeepOf([&] { ++calls; });
  result.Take();
  EXPECT_EQ(calls, 1);
}

TEST(KeptResultTest, ExceptionsPass) {
  KeptResult<int> result;
  EXPECT_THROW(result.KeepOf([]() -> int { throw std::runtime_error("no result"); }),
               std::runtime_error);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
