#include <oneapi/tbb/cache_aligned_allocator.h>
#include <oneapi/tbb/detail/_aligned_space.h>
#include <oneapi/tbb/detail/_allocator_traits.h>
#include <oneapi/tbb/detail/_exception.h>
#include <oneapi/tbb/detail/_machine.h>
#include <oneapi/tbb/detail/_template_helpers.h>
#include <oneapi/tbb/detail/_utils.h>

#include <atomic>
#include <cfenv>
#include <cstddef>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

namespace {

template <typename T>
using Sized = decltype(std::declval<T>().size());

static_assert(tbb::detail::supports<std::vector<int>, Sized>::value);
static_assert(!tbb::detail::d0::supports<int, Sized>::value);
static_assert(std::is_same_v<tbb::detail::pack_element_t<1, int, char, bool>, char>);
static_assert(tbb::detail::is_power_of_two(64) && !tbb::detail::is_power_of_two(65));
static_assert(tbb::detail::is_power_of_two_at_least(64, 16));
static_assert(!tbb::detail::is_power_of_two_at_least(8, 16));
static_assert(!tbb::detail::is_power_of_two_at_least(65, 16));
static_assert(tbb::detail::select_size_t_constant<4, 8>::value == sizeof(std::size_t));
static_assert(std::is_same_v<tbb::detail::type_identity_t<int>, int>);
static_assert(std::is_same_v<tbb::detail::iterator_key_t<std::map<int, char>::iterator>, int>);
static_assert(std::is_same_v<tbb::detail::iterator_mapped_t<std::map<int, char>::iterator>, char>);
static_assert(sizeof(tbb::detail::aligned_space<double, 3>) == 3 * sizeof(double));
static_assert(!std::is_copy_constructible_v<tbb::detail::no_copy>);
static_assert(!std::is_copy_assignable_v<tbb::detail::no_assign>);

struct Counter {
  int value = 0;
};
static_assert(sizeof(tbb::detail::padded<Counter>) == tbb::detail::max_nfs_size);
static_assert(sizeof(tbb::detail::padded<Counter, 16>) == 16);

// An allocator with a name, which containers take along or leave where it is.
template <typename Follows>
struct NamedAllocator {
  using value_type = int;
  using propagate_on_container_copy_assignment = Follows;
  using propagate_on_container_move_assignment = Follows;
  using propagate_on_container_swap = Follows;
  int name;
};

TEST(DetailHelpersTest, AllocatorsFollowOrStay) {
  NamedAllocator<std::true_type> a{1};
  NamedAllocator<std::true_type> b{2};
  tbb::detail::swap_allocators(a, b);
  EXPECT_EQ(a.name, 2);
  EXPECT_EQ(b.name, 1);
  tbb::detail::copy_assign_allocators(a, b);
  EXPECT_EQ(a.name, 1);
  a.name = 3;
  tbb::detail::move_assign_allocators(b, a);
  EXPECT_EQ(b.name, 3);

  NamedAllocator<std::false_type> c{1};
  NamedAllocator<std::false_type> d{2};
  tbb::detail::swap_allocators(c, d);
  tbb::detail::copy_assign_allocators(c, d);
  tbb::detail::move_assign_allocators(c, d);
  EXPECT_EQ(c.name, 1);
  EXPECT_EQ(d.name, 2);

  using Traits = tbb::detail::allocator_traits<std::allocator<int>>;
  static_assert(std::is_same_v<Traits::rebind_traits<long>::allocator_type, std::allocator<long>>);
}

TEST(DetailHelpersTest, NumbersStandForExceptions) {
  using Id = tbb::detail::exception_id;
  const auto thrown = [](Id id) { tbb::detail::throw_exception(id); };
  EXPECT_THROW(thrown(Id::bad_alloc), std::bad_alloc);
  EXPECT_THROW(thrown(Id::bad_last_alloc), tbb::detail::r1::bad_last_alloc);
  EXPECT_THROW(thrown(Id::user_abort), tbb::detail::r1::user_abort);
  EXPECT_THROW(thrown(Id::nonpositive_step), std::invalid_argument);
  EXPECT_THROW(thrown(Id::out_of_range), std::out_of_range);
  EXPECT_THROW(thrown(Id::reservation_length_error), std::length_error);
  EXPECT_THROW(thrown(Id::missing_wait), tbb::detail::r1::missing_wait);
  EXPECT_THROW(thrown(Id::invalid_load_factor), std::out_of_range);
  EXPECT_THROW(thrown(Id::invalid_key), std::out_of_range);
  EXPECT_THROW(thrown(Id::bad_tagged_msg_cast), std::runtime_error);
  EXPECT_THROW(thrown(Id::unsafe_wait), tbb::detail::r1::unsafe_wait);
}

TEST(DetailHelpersTest, TryCallUndoesWhatFailed) {
  int undone = 0;
  int ended = 0;
  tbb::detail::try_call([] {}).on_exception([&] { ++undone; });
  EXPECT_EQ(undone, 0);
  EXPECT_THROW(
      tbb::detail::try_call([] { throw std::runtime_error("x"); }).on_exception([&] { ++undone; }),
      std::runtime_error);
  EXPECT_EQ(undone, 1);
  tbb::detail::try_call([] {}).on_completion([&] { ++ended; });
  EXPECT_EQ(ended, 1);
}

TEST(DetailHelpersTest, AGuardCallsUnlessItIsDismissed) {
  int called = 0;
  {
    auto guard = tbb::detail::make_raii_guard([&] { ++called; });
    auto moved = std::move(guard);
  }
  EXPECT_EQ(called, 1);
  {
    auto guard = tbb::detail::make_raii_guard([&] { ++called; });
    guard.dismiss();
  }
  EXPECT_EQ(called, 1);
}

TEST(DetailHelpersTest, WaitsForAValue) {
  std::atomic<int> value{0};
  std::thread other([&] { value = 1; });
  EXPECT_EQ(tbb::detail::spin_wait_while_eq(value, 0), 1);
  tbb::detail::spin_wait_until_eq(value, 1);
  other.join();
  tbb::detail::atomic_backoff backoff;
  int bounded = 0;
  while (backoff.bounded_pause()) ++bounded;
  EXPECT_GT(bounded, 0);
  backoff.pause();
  backoff.reset();
  EXPECT_TRUE(backoff.bounded_pause());
  tbb::detail::machine_pause(1);
  tbb::detail::d0::yield();
}

TEST(DetailHelpersTest, SpinsForAWhile) {
  int calls = 0;
  EXPECT_TRUE(tbb::detail::timed_spin_wait_until([&] { return ++calls == 3; }));
  EXPECT_EQ(calls, 3);
  EXPECT_FALSE(tbb::detail::timed_spin_wait_until([&] { return ++calls < 0; }));
  EXPECT_GT(calls, 3);
}

TEST(DetailHelpersTest, CountsInPowersOfTwo) {
  EXPECT_EQ(tbb::detail::log2(1), 0u);
  EXPECT_EQ(tbb::detail::log2(1023u), 9u);
  EXPECT_EQ(tbb::detail::log2(std::size_t{1} << 40), 40u);
  EXPECT_EQ(tbb::detail::modulo_power_of_two(21, 8), 5);
}

TEST(DetailHelpersTest, APointerMayBeTakenForAnother) {
  int number = 3;
  EXPECT_EQ(*tbb::detail::punned_cast<unsigned*>(&number), 3u);
}

TEST(DetailHelpersTest, AFunctionMayBeCalledByItsAddress) {
  int calls = 0;
  auto f = [&calls] { return ++calls == 2; };
  const tbb::detail::d1::delegated_function<decltype(f)> delegated(f);
  const tbb::detail::d1::delegate_base& base = delegated;
  EXPECT_FALSE(base());
  EXPECT_TRUE(base());
}

TEST(DetailHelpersTest, KeepsArgumentsForACall) {
  auto pack = tbb::detail::save_pack(3, std::string("abc"));
  static_assert(std::is_same_v<decltype(pack), tbb::detail::stored_pack<int, std::string>>);
  std::string seen;
  tbb::detail::call([&](int n, const std::string& text) { seen = text + char('0' + n); }, pack);
  EXPECT_EQ(seen, "abc3");
  const auto size = tbb::detail::call_and_return<std::size_t>(
      [](int, std::string&& text) { return std::string(std::move(text)).size(); }, std::move(pack));
  EXPECT_EQ(size, 3u);
  static_assert(
      std::is_same_v<tbb::detail::allocator_traits<std::allocator<int>>::value_type, int>);
  EXPECT_GE(tbb::detail::r1::cache_line_size(), 64u);
}

TEST(DetailHelpersTest, OneCaseMayGoOnWithTheNext) {
  int passed = 0;
  const volatile int where = 0;
  switch (where) {
    case 0:
      ++passed;
      __TBB_fallthrough;
    case 1:
      ++passed;
      break;
    default:
      break;
  }
  EXPECT_EQ(passed, 2);
}

TEST(DetailHelpersTest, KnowsWhatIsAligned) {
  alignas(64) char bytes[64];
  EXPECT_TRUE(tbb::detail::is_aligned(bytes, 64));
  EXPECT_FALSE(tbb::detail::is_aligned(bytes + 1, 2));
}

#if defined(__x86_64__)
TEST(DetailHelpersTest, TakesAndGivesFloatingPointSettings) {
  using Settings = tbb::detail::d1::cpu_ctl_env;
  Settings before;
  before.get_env();
  Settings upwards = before;
  upwards.mxcsr |= 0x4000;
  upwards.x87cw = static_cast<short>(upwards.x87cw | 0x0800);
  upwards.set_env();
  EXPECT_EQ(std::fegetround(), FE_UPWARD);
  Settings now;
  now.get_env();
  EXPECT_FALSE(now != upwards);
  before.set_env();
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_TRUE(now != before);
}
#endif

}  // namespace
