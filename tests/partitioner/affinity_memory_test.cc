#include "filch/partitioner/affinity_memory.h"

#include <cstdint>
#include <thread>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace {

TEST(AffinityMemoryTest, NewMemoryHasNoPieces) { EXPECT_EQ(AffinityMemory().pieces(), 0u); }

TEST(AffinityMemoryTest, PreparedPiecesRanNowhere) {
  AffinityMemory memory;
  memory.Prepare(100);
  ASSERT_EQ(memory.pieces(), 100u);
  for (std::uint32_t piece = 0; piece < 100; ++piece) EXPECT_EQ(memory.SlotOf(piece), kAnySlot);
}

TEST(AffinityMemoryTest, KeepsTheLatestNoteOfEachPiece) {
  AffinityMemory memory;
  memory.Prepare(3);
  memory.Note(0, 5);
  memory.Note(2, 0);
  memory.Note(0, 6);
  EXPECT_EQ(memory.SlotOf(0), 6u);
  EXPECT_EQ(memory.SlotOf(1), kAnySlot);
  EXPECT_EQ(memory.SlotOf(2), 0u);
}

TEST(AffinityMemoryTest, PreparingForAsManyPiecesForgetsNothing) {
  AffinityMemory memory;
  memory.Prepare(2);
  memory.Note(1, 3);
  memory.Prepare(2);
  EXPECT_EQ(memory.SlotOf(1), 3u);
}

TEST(AffinityMemoryTest, PreparingForMoreOrFewerPiecesForgetsAll) {
  AffinityMemory memory;
  for (std::uint32_t pieces : {4u, 8u, 2u, 0u, 2u}) {
    memory.Prepare(pieces);
    ASSERT_EQ(memory.pieces(), pieces);
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      EXPECT_EQ(memory.SlotOf(piece), kAnySlot);
      memory.Note(piece, 1);
    }
  }
}

// Looks and notes of the same piece are no data race, and a look sees some note.
TEST(AffinityMemoryTest, ThreadsNoteAndLookAtOnce) {
  static constexpr std::uint32_t kPieces = 64;
  static constexpr std::uint32_t kSlots = 4;
  AffinityMemory memory;
  memory.Prepare(kPieces);
  std::vector<std::thread> threads;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    threads.emplace_back([&memory, slot] {
      for (int round = 0; round < 100; ++round) {
        for (std::uint32_t piece = 0; piece < kPieces; ++piece) {
          memory.Note(piece, slot);
          EXPECT_LT(memory.SlotOf(piece), kSlots);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace filch
