#include "filch/pool/task_queue.h"

#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace filch {
namespace pool_internal {
namespace {

class Letter {
 public:
  explicit Letter(std::uint64_t isolation = 0) : isolation_(isolation) {}
  Letter* link() const { return link_; }
  void set_link(Letter* link) { link_ = link; }
  std::uint64_t isolation() const { return isolation_; }

 private:
  Letter* link_ = nullptr;
  std::uint64_t isolation_;
};

using Queue = BasicTaskQueue<Letter>;

TEST(TaskQueueTest, GivesTasksBackInOrder) {
  Queue queue;
  Letter letters[3];
  EXPECT_EQ(queue.Pop(), nullptr);
  for (Letter& letter : letters) queue.Push(letter);
  EXPECT_EQ(queue.ApproximateSize(), 3);
  for (Letter& letter : letters) EXPECT_EQ(queue.Pop(), &letter);
  EXPECT_TRUE(queue.Empty());
  queue.Push(letters[1]);
  EXPECT_EQ(queue.Pop(), &letters[1]);
}

TEST(TaskQueueTest, TakesTheFirstOfAnIsolation) {
  Queue queue;
  Letter letters[] = {Letter(1), Letter(2), Letter(2), Letter(1)};
  for (Letter& letter : letters) queue.Push(letter);
  EXPECT_EQ(queue.PopIsolated(3), nullptr);
  EXPECT_EQ(queue.PopIsolated(2), &letters[1]);
  EXPECT_EQ(queue.PopIsolated(2), &letters[2]);
  EXPECT_EQ(queue.PopIsolated(2), nullptr);
  EXPECT_EQ(queue.Pop(), &letters[0]);
  EXPECT_EQ(queue.Pop(), &letters[3]);
  EXPECT_TRUE(queue.Empty());
}

// Wherever in the queue it is, and whatever is pushed after that.
TEST(TaskQueueTest, RemovesATaskOnce) {
  for (int removed = 0; removed < 3; ++removed) {
    Queue queue;
    Letter letters[4];
    for (int i = 0; i < 3; ++i) queue.Push(letters[i]);
    EXPECT_FALSE(queue.Remove(letters[3]));
    EXPECT_TRUE(queue.Remove(letters[removed]));
    EXPECT_FALSE(queue.Remove(letters[removed]));
    queue.Push(letters[3]);
    EXPECT_EQ(queue.ApproximateSize(), 3);
    std::vector<Letter*> left;
    while (Letter* const letter = queue.Pop()) left.push_back(letter);
    std::vector<Letter*> expected;
    for (int i = 0; i < 4; ++i) {
      if (i != removed) expected.push_back(&letters[i]);
    }
    EXPECT_EQ(left, expected);
  }
}

TEST(TaskQueueTest, IsEmptyWhenItsOnlyTaskIsRemoved) {
  Queue queue;
  Letter letter;
  EXPECT_FALSE(queue.Remove(letter));
  queue.Push(letter);
  EXPECT_TRUE(queue.Remove(letter));
  EXPECT_TRUE(queue.Empty());
  EXPECT_EQ(queue.Pop(), nullptr);
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
