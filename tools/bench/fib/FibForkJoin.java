package bench;

import java.util.concurrent.RecursiveTask;

/** Fibonacci numbers by recursion without a cut-off. */
final class FibForkJoin extends RecursiveTask<Long> {
  private final int n;

  private FibForkJoin(int n) {
    this.n = n;
  }

  @Override
  protected Long compute() {
    if (n < 2) return (long) n;
    FibForkJoin second = new FibForkJoin(n - 2);
    second.fork();
    long x = new FibForkJoin(n - 1).compute();
    return x + second.join();
  }

  static void run(Run run) {
    double previous = 0;
    double calls = 0;
    for (long i = 2; i <= run.size; ++i) {
      double next = 1 + calls + previous;
      previous = calls;
      calls = next;
    }
    long[] value = new long[1];
    run.time(Math.max(calls, 1), () ->
        value[0] = run.pool.invoke(new FibForkJoin((int) run.size)));
    run.answer(value[0]);
  }
}
