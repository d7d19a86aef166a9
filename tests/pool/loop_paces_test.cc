#include "filch/pool/loop_paces.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "filch/pool/many_threads.h"
#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

constexpr std::uint64_t kUsual = 10000;

// The kind is known to take so long for 100 units.
LoopPaces Knowing(const void* kind, std::uint64_t elapsed, int threads = 2) {
  LoopPaces paces;
  for (int i = 0; i < 10; ++i) paces.NoteAlone(kind, 100, elapsed, threads);
  return paces;
}

TEST(LoopPacesTest, AKindIsKnownWhenSomeInARowTookLongEnough) {
  const int kind = 0;
  LoopPaces paces;
  EXPECT_EQ(paces.CutOf(&kind, 100, 2).piece, 0u);
  paces.NoteAlone(&kind, 100, kUsual, 2);
  EXPECT_EQ(paces.CutOf(&kind, 100, 2).piece, 0u);
  for (int i = 0; i < 10; ++i) paces.NoteAlone(&kind, 100, kUsual, 2);
  EXPECT_NE(paces.CutOf(&kind, 100, 2).piece, 0u);
}

TEST(LoopPacesTest, OneThatTookTooLongOrTooShortBeginsTheRowAnew) {
  for (const std::uint64_t other :
       {std::uint64_t{0}, LoopPaces::kLeast - 1, LoopPaces::kMostForMany + 1, ~std::uint64_t{0}}) {
    const int kind = 0;
    LoopPaces paces = Knowing(&kind, kUsual);
    paces.NoteAlone(&kind, 100, other, 2);
    EXPECT_EQ(paces.CutOf(&kind, 100, 2).piece, 0u);
    paces.NoteAlone(&kind, 100, kUsual, 2);
    EXPECT_EQ(paces.CutOf(&kind, 100, 2).piece, 0u);
  }
}

TEST(LoopPacesTest, TheNumberOfUnitsCounts) {
  const int kind = 0;
  const LoopPaces paces = Knowing(&kind, kUsual);
  // A tenth of it is nothing, and a thousand times as much is no small loop.
  EXPECT_EQ(paces.CutOf(&kind, 10, 2).piece, 0u);
  EXPECT_EQ(paces.CutOf(&kind, 100000, 2).piece, 0u);
  EXPECT_NE(paces.CutOf(&kind, 200, 2).piece, 0u);
}

TEST(LoopPacesTest, ThereAreSomePiecesForEachThreadAndNoneIsTiny) {
  for (const std::uint64_t elapsed : {LoopPaces::kLeastForMany, kUsual, LoopPaces::kMost}) {
    for (const int threads : {2, 4, 64}) {
      if (threads >= kManyThreads && elapsed < LoopPaces::kLeastForMany) continue;
      const int kind = 0;
      const std::uint32_t piece = Knowing(&kind, elapsed, threads).CutOf(&kind, 100, threads).piece;
      ASSERT_GE(piece, 1u);
      EXPECT_GE(100 / piece, 4u);
      // A piece is one unit, or takes so long that a join is nothing beside it.
      EXPECT_TRUE(piece == 1 || piece * elapsed / 100 >= 450) << piece << " of " << elapsed;
    }
  }
}

TEST(LoopPacesTest, AmongManyThreadsALoopHasToTakeLongerAndMayTakeMuchLonger) {
  const struct {
    std::uint64_t elapsed;
    bool for_few;
    bool for_many;
  } cases[] = {
      {LoopPaces::kLeast, true, false},
      {LoopPaces::kLeastForMany - 1, true, false},
      {LoopPaces::kLeastForMany, true, true},
      {LoopPaces::kMost, true, true},
      {LoopPaces::kMost + 1, false, true},
      {LoopPaces::kMostForMany, false, true},
      {LoopPaces::kMostForMany + 1, false, false},
  };
  for (const auto& [elapsed, for_few, for_many] : cases) {
    const int kind = 0;
    // One unit, whose pace is exact.
    for (const int threads : {2, kManyThreads - 1, kManyThreads, 64}) {
      LoopPaces paces;
      for (int i = 0; i < 10; ++i) paces.NoteAlone(&kind, 1, elapsed, threads);
      const bool is_cut = paces.CutOf(&kind, 1, threads).piece != 0;
      EXPECT_EQ(is_cut, threads < kManyThreads ? for_few : for_many) << elapsed;
    }
  }
}

TEST(LoopPacesTest, UnitsOfLessThanATickAreCountedRight) {
  const int kind = 0;
  LoopPaces paces;
  for (int i = 0; i < 10; ++i) paces.NoteAlone(&kind, 100000, kUsual, 2);
  const std::uint32_t piece = paces.CutOf(&kind, 100000, 2).piece;
  EXPECT_GE(piece, 4000u);
  EXPECT_LE(piece, 25000u);
}

// Loops until the kind is shared again.
int LoopsAlone(LoopPaces& paces, const void* kind) {
  int loops = 0;
  for (; paces.CutOf(kind, 100, 2).piece == 0; ++loops) paces.NoteAlone(kind, 100, kUsual, 2);
  return loops;
}

// Two loops that were shared took so long.
void ShareTwice(LoopPaces& paces, const void* kind, std::uint64_t elapsed) {
  for (int i = 0; i < 2; ++i) paces.NoteShared(kind, kUsual, elapsed, true);
}

// So many loops, alone or shared as the paces have it, which take alone(), or shared().  How many
// were shared.
template <typename Alone, typename Shared>
int SharedOf(int loops, LoopPaces& paces, const void* kind, const Alone& alone,
             const Shared& shared) {
  int count = 0;
  for (int i = 0; i < loops; ++i) {
    if (paces.CutOf(kind, 100, 2).piece == 0) {
      paces.NoteAlone(kind, 100, alone(), 2);
    } else {
      ++count;
      paces.NoteShared(kind, kUsual, shared(), true);
    }
  }
  return count;
}

TEST(LoopPacesTest, WhatALoopTakesAloneIsKnownByItsUnits) {
  const int kind = 0;
  const LoopPaces paces = Knowing(&kind, kUsual);
  EXPECT_EQ(paces.CutOf(&kind, 100, 2).alone, kUsual);
  EXPECT_EQ(paces.CutOf(&kind, 200, 2).alone, 2 * kUsual);
}

TEST(LoopPacesTest, AnInterruptionIsNotTakenForThePace) {
  const int kind = 0;
  LoopPaces paces = Knowing(&kind, kUsual);
  paces.NoteAlone(&kind, 100, 40 * kUsual, 2);
  EXPECT_LT(paces.CutOf(&kind, 100, 2).alone, kUsual + kUsual / 7);
  paces.NoteAlone(&kind, 100, kUsual, 2);
  EXPECT_EQ(paces.CutOf(&kind, 100, 2).alone, kUsual);
}

TEST(LoopPacesTest, WhatTakesLongerNowIsKnownAfterSomeLoops) {
  const int kind = 0;
  LoopPaces paces = Knowing(&kind, kUsual);
  for (int i = 0; i < 30; ++i) paces.NoteAlone(&kind, 100, 10 * kUsual, 2);
  EXPECT_GT(paces.CutOf(&kind, 100, 2).alone, 9 * kUsual);
}

TEST(LoopPacesTest, WhoIsHeldUpByOthersIsSharedLater) {
  for (const std::uint64_t elapsed : {kUsual, kUsual + kUsual / 2}) {
    const int kind = 0;
    LoopPaces paces = Knowing(&kind, kUsual);
    int before = 0;
    for (int i = 0; i < 5; ++i) {
      ShareTwice(paces, &kind, elapsed);
      const int loops = LoopsAlone(paces, &kind);
      EXPECT_GT(loops, before);
      before = loops;
    }
    // And not later for ever: it was shared, and was over sooner.
    for (int i = 0; i < 50; ++i) paces.NoteShared(&kind, kUsual, kUsual / 2, true);
    ShareTwice(paces, &kind, elapsed);
    EXPECT_LT(LoopsAlone(paces, &kind), before);
  }
}

// The kind was held up by others each time that it was shared.
LoopPaces HeldUp(const void* kind) {
  LoopPaces paces = Knowing(kind, kUsual);
  for (int i = 0; i < 100; ++i) {
    ShareTwice(paces, kind, 10 * kUsual);
    LoopsAlone(paces, kind);
  }
  ShareTwice(paces, kind, 10 * kUsual);
  return paces;
}

TEST(LoopPacesTest, WhoIsHeldUpAllTheTimeIsHardlyEverShared) {
  const int kind = 0;
  LoopPaces paces = HeldUp(&kind);
  EXPECT_GE(LoopsAlone(paces, &kind), 500);
}

TEST(LoopPacesTest, WhatTakesMuchLongerIsSharedAllTheSame) {
  const int kind = 0;
  LoopPaces paces = HeldUp(&kind);
  constexpr std::uint64_t kLong = 10 * kUsual;
  int loops = 0;
  for (; paces.CutOf(&kind, 100, 2).piece == 0; ++loops) paces.NoteAlone(&kind, 100, kLong, 2);
  EXPECT_LT(loops, 10);
  // That says nothing of the others.
  for (int i = 0; i < 100; ++i) paces.NoteShared(&kind, kLong, kLong / 2, true);
  paces.NoteAlone(&kind, 100, 0, 2);
  EXPECT_GE(LoopsAlone(paces, &kind), 500);
}

TEST(LoopPacesTest, OnceALittleHeldUpIsNoProof) {
  const int kind = 0;
  LoopPaces paces = Knowing(&kind, kUsual);
  for (int i = 0; i < 10; ++i) {
    paces.NoteShared(&kind, kUsual, kUsual + kUsual / 2, true);
    EXPECT_NE(paces.CutOf(&kind, 100, 2).piece, 0u);
    paces.NoteShared(&kind, kUsual, kUsual / 2, true);
    EXPECT_NE(paces.CutOf(&kind, 100, 2).piece, 0u);
  }
}

TEST(LoopPacesTest, WhoIsHeldUpForLongEachSecondTimeIsHardlyEverShared) {
  const int kind = 0;
  LoopPaces paces = Knowing(&kind, kUsual);
  bool held_up = true;
  const auto shared = [&held_up] {
    held_up = !held_up;
    return held_up ? 10 * kUsual : kUsual / 2;
  };
  EXPECT_LT(SharedOf(
                10000, paces, &kind, [] { return kUsual; }, shared),
            200);
}

TEST(LoopPacesTest, WhereNobodyComesItIsSharedStill) {
  const int kind = 0;
  LoopPaces paces = Knowing(&kind, kUsual);
  for (int i = 0; i < 10; ++i) {
    paces.NoteShared(&kind, kUsual, 2 * kUsual, false);
    EXPECT_NE(paces.CutOf(&kind, 100, 2).piece, 0u);
  }
  // But not on and on by what was known once.
  for (int i = 0; i < 1000 && paces.CutOf(&kind, 100, 2).piece != 0; ++i) {
    paces.NoteShared(&kind, kUsual, kUsual / 100, false);
  }
  EXPECT_EQ(paces.CutOf(&kind, 100, 2).piece, 0u);
}

TEST(LoopPacesTest, WhatIsSharedAllTheTimeRunsAloneNowAndThen) {
  const int kind = 0;
  LoopPaces paces = Knowing(&kind, kUsual);
  constexpr int kLoops = 2000;
  const int alone =
      kLoops - SharedOf(
                   kLoops, paces, &kind, [] { return kUsual / 2; }, [] { return kUsual / 3; });
  EXPECT_GT(alone, 0);
  EXPECT_LE(alone, kLoops / 50);
  EXPECT_EQ(paces.CutOf(&kind, 100, 2).alone, kUsual / 2);
}

TEST(LoopPacesTest, WhoseKindWasDisplacedIsForgotten) {
  const int kind = 0;
  LoopPaces paces;
  for (int i = 0; i < 10; ++i) paces.NoteShared(&kind, kUsual, kUsual / 2, true);
  EXPECT_EQ(paces.CutOf(&kind, 100, 2).piece, 0u);
}

TEST(LoopPacesTest, KindsAreNotTakenForEachOther) {
  const std::array<char, 1000> kinds{};
  const LoopPaces paces = Knowing(&kinds[0], kUsual);
  for (std::size_t i = 1; i < kinds.size(); ++i)
    EXPECT_EQ(paces.CutOf(&kinds[i], 100, 2).piece, 0u) << i;
  EXPECT_NE(paces.CutOf(&kinds[0], 100, 2).piece, 0u);
}

TEST(LoopPacesTest, ALoopOfNothingDisplacesNobody) {
  const std::array<char, 1000> kinds{};
  LoopPaces paces = Knowing(&kinds[0], kUsual);
  for (std::size_t i = 1; i < kinds.size(); ++i) paces.NoteAlone(&kinds[i], 100, 50, 2);
  EXPECT_NE(paces.CutOf(&kinds[0], 100, 2).piece, 0u);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
