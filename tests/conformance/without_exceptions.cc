#include "tests/conformance/without_exceptions.h"

#include <tbb/scalable_allocator.h>
#include <tbb/tbb.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

#ifdef __cpp_exceptions
#error "This is to be compiled with -fno-exceptions."
#endif
static_assert(TBB_USE_EXCEPTIONS == 0);

namespace {

constexpr int kItems = 5000;
constexpr long kSum = kItems * (kItems - 1L) / 2;

template <typename Partitioner>
bool LoopsAnswerRightly(Partitioner&& partitioner) {
  std::atomic<long> sum{0};
  tbb::parallel_for(
      tbb::blocked_range<int>(0, kItems),
      [&](const tbb::blocked_range<int>& part) {
        for (int i = part.begin(); i != part.end(); ++i) sum += i;
      },
      partitioner);
  const long reduced = tbb::parallel_reduce(
      tbb::blocked_range<int>(0, kItems), 0L,
      [](const tbb::blocked_range<int>& part, long so_far) {
        for (int i = part.begin(); i != part.end(); ++i) so_far += i;
        return so_far;
      },
      std::plus<>(), partitioner);
  return sum == kSum && reduced == kSum;
}

bool ScanAnswersRightly() {
  std::vector<int> sums(kItems);
  const int total = tbb::parallel_scan(
      tbb::blocked_range<int>(0, kItems), 0,
      [&](const tbb::blocked_range<int>& part, int so_far, bool is_final) {
        for (int i = part.begin(); i != part.end(); ++i) {
          so_far += i % 3;
          if (is_final) sums[static_cast<std::size_t>(i)] = so_far;
        }
        return so_far;
      },
      std::plus<>());
  return total == sums.back() && std::is_sorted(sums.begin(), sums.end());
}

template <typename T>
bool SortAnswersRightly() {
  std::vector<T> numbers(kItems);
  for (int i = 0; i < kItems; ++i) numbers[static_cast<std::size_t>(i)] = T((i * 7919) % kItems);
  tbb::parallel_sort(numbers);
  return std::is_sorted(numbers.begin(), numbers.end());
}

bool PipelineAnswersRightly() {
  int next = 0;
  long sum = 0;
  tbb::parallel_pipeline(
      4, tbb::make_filter<void, int>(tbb::filter_mode::serial_in_order,
                                     [&](tbb::flow_control& control) {
                                       if (next == kItems) control.stop();
                                       return next++;
                                     }) &
             tbb::make_filter<int, std::string>(tbb::filter_mode::parallel,
                                                [](int number) { return std::to_string(number); }) &
             tbb::make_filter<std::string, void>(
                 tbb::filter_mode::serial_out_of_order,
                 [&](const std::string& text) { sum += std::stol(text); }));
  return sum == kSum;
}

bool ForEachAnswersRightly() {
  std::atomic<long> sum{0};
  const std::vector<int> first = {kItems - 1};
  tbb::parallel_for_each(first, [&](int number, tbb::feeder<int>& feeder) {
    sum += number;
    if (number > 0) feeder.add(number - 1);
  });
  return sum == kSum;
}

}  // namespace

bool AlgorithmsAnswerRightly() {
  tbb::affinity_partitioner affinity;
  long left = 0;
  long right = 0;
  tbb::parallel_invoke([&] { left = 1; }, [&] { right = 2; });
  tbb::collaborative_once_flag once;
  int calls = 0;
  for (int i = 0; i < 2; ++i) tbb::collaborative_call_once(once, [&] { ++calls; });
  return left + right == 3 && calls == 1 && LoopsAnswerRightly(tbb::auto_partitioner()) &&
         LoopsAnswerRightly(tbb::simple_partitioner()) &&
         LoopsAnswerRightly(tbb::static_partitioner()) && LoopsAnswerRightly(affinity) &&
         ScanAnswersRightly() && SortAnswersRightly<int>() && SortAnswersRightly<double>() &&
         PipelineAnswersRightly() && ForEachAnswersRightly();
}

bool TasksAnswerRightly() {
  std::atomic<int> runs{0};
  const auto count = [&] { ++runs; };
  tbb::task_group group;
  for (int i = 0; i < 100; ++i) group.run(count);
  group.run(group.defer(count));
  const bool complete = group.run_and_wait(count) == tbb::task_group_status::complete;
  return complete && runs == 102;
}

bool ArenasAnswerRightly() {
  tbb::task_arena arena(2);
  tbb::task_group group;
  std::atomic<int> runs{0};
  arena.execute([&] { group.run([&] { ++runs; }); });
  arena.execute([&] { group.wait(); });
  std::unique_ptr<int> moved = arena.execute([] { return std::make_unique<int>(7); });
  tbb::this_task_arena::isolate([&] { *moved += 1; });
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
  return runs == 1 && *moved == 8;
}

bool LocksAndContainersAnswerRightly() {
  tbb::spin_mutex spin;
  tbb::queuing_rw_mutex queuing;
  tbb::enumerable_thread_specific<std::vector<int>> seen;
  long sum = 0;
  long other_sum = 0;
  tbb::parallel_for(0, kItems, [&](int i) {
    {
      const std::lock_guard<tbb::spin_mutex> lock(spin);
      sum += i;
    }
    {
      const tbb::queuing_rw_mutex::scoped_lock lock(queuing, true);
      other_sum += i;
    }
    seen.local().push_back(i);
  });
  std::size_t count = 0;
  for (const std::vector<int>& part : seen) count += part.size();
  const std::vector<int, tbb::cache_aligned_allocator<int>> numbers(100, 1);
  const std::vector<int, tbb::scalable_allocator<int>> others(numbers.begin(), numbers.end());
  return sum == kSum && other_sum == kSum && count == kItems &&
         std::accumulate(others.begin(), others.end(), 0) == 100;
}

bool CancellationArrives() {
  tbb::task_group_context context;
  tbb::parallel_for(
      0, kItems, [&](int) { context.cancel_group_execution(); }, context);
  tbb::task_group group;
  group.run([&] { group.cancel(); });
  return context.is_group_execution_cancelled() && group.wait() == tbb::task_group_status::canceled;
}

void StepByZero() {
  tbb::parallel_for(0, 1, 0, [](int) {});
}
