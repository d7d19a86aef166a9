package bench;

import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;

/** A tree of tasks in which each starts ten more. */
final class SkynetForkJoin extends RecursiveTask<Long> {
  private final long first;
  private final long leaves;

  private SkynetForkJoin(long first, long leaves) {
    this.first = first;
    this.leaves = leaves;
  }

  @Override
  protected Long compute() {
    if (leaves == 1) return first;
    SkynetForkJoin[] children = new SkynetForkJoin[10];
    for (int i = 0; i < 10; ++i) {
      children[i] = new SkynetForkJoin(first + i * (leaves / 10), leaves / 10);
    }
    ForkJoinTask.invokeAll(children);
    long sum = 0;
    for (SkynetForkJoin child : children) sum += child.join();
    return sum;
  }

  static void run(Run run) {
    long leaves = Math.round(Math.pow(10, run.size));
    long[] sum = new long[1];
    run.time(leaves, () -> sum[0] = run.pool.invoke(new SkynetForkJoin(0, leaves)));
    run.answer(sum[0]);
  }
}
