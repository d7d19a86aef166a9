#include "filch/pool/kept_exception.h"

#include <exception>
#include <memory>
#include <type_traits>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

// Tells through a weak pointer whether it lives.
struct Witness {
  std::shared_ptr<int> life;
};

TEST(KeptExceptionTest, TakesTheRoomOfAPointer) {
  EXPECT_EQ(sizeof(KeptException), sizeof(std::exception_ptr));
}

TEST(KeptExceptionTest, GivesBackWhatItWasFilledWithAndKeepsNothing) {
  const auto life = std::make_shared<int>(1);
  KeptException kept;
  kept.Fill(std::make_exception_ptr(Witness{life}));
  EXPECT_EQ(life.use_count(), 2);
  EXPECT_NE(kept.value(), nullptr);
  {
    const std::exception_ptr exception = kept.Empty();
    EXPECT_THROW(std::rethrow_exception(exception), Witness);
  }
  EXPECT_EQ(life.use_count(), 1);
}

TEST(KeptExceptionTest, CanBeFilledAgain) {
  KeptException kept;
  for (int i = 0; i < 3; ++i) {
    kept.Fill(std::make_exception_ptr(i));
    try {
      std::rethrow_exception(kept.Empty());
    } catch (int thrown) {
      EXPECT_EQ(thrown, i);
    }
  }
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
