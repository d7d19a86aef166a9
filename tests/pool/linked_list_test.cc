#include "filch/pool/linked_list.h"

#include <gtest/gtest.h>

#include <vector>

namespace filch {
namespace pool_internal {
namespace {

struct Element {
  explicit Element(int its_value) : value(its_value) {}
  int value;
  ListLink<Element> link;
};

class LinkedListTest : public testing::Test {
 protected:
  // What is in the list, forwards, which is also what is there backwards.
  std::vector<int> Values() const {
    std::vector<int> values;
    for (const Element& element : list_) values.push_back(element.value);
    std::vector<int> backwards;
    for (const Element* element = list_.last(); element != nullptr;
         element = list_.Previous(*element)) {
      backwards.insert(backwards.begin(), element->value);
    }
    EXPECT_EQ(values, backwards);
    return values;
  }

  Element one_{1};
  Element two_{2};
  Element three_{3};
  LinkedList<Element, &Element::link> list_;
};

using Ints = std::vector<int>;

TEST_F(LinkedListTest, IsEmptyAtFirst) {
  EXPECT_EQ(list_.first(), nullptr);
  EXPECT_EQ(list_.last(), nullptr);
  EXPECT_EQ(Values(), Ints());
}

TEST_F(LinkedListTest, TakesAtBothEndsAndBetween) {
  list_.PushBack(one_);
  list_.PushBack(three_);
  list_.InsertBefore(&three_, two_);
  EXPECT_EQ(Values(), Ints({1, 2, 3}));
  list_.Remove(three_);
  list_.PushFront(three_);
  EXPECT_EQ(Values(), Ints({3, 1, 2}));
  EXPECT_EQ(list_.first(), &three_);
  EXPECT_EQ(list_.Next(three_), &one_);
  EXPECT_EQ(list_.last(), &two_);
}

TEST_F(LinkedListTest, GivesBackFromEverywhere) {
  list_.PushBack(one_);
  list_.PushBack(two_);
  list_.PushBack(three_);
  list_.Remove(two_);
  EXPECT_EQ(Values(), Ints({1, 3}));
  list_.Remove(one_);
  EXPECT_EQ(Values(), Ints({3}));
  list_.Remove(three_);
  EXPECT_EQ(Values(), Ints());
  list_.PushFront(two_);
  EXPECT_EQ(Values(), Ints({2}));
}

}  // namespace
}  // namespace pool_internal
}  // namespace filch
