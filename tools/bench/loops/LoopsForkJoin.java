package bench;

import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/** Loops as parallel streams, in the pool of the run. */
final class LoopsForkJoin {
  private static final long TRIAD_ELEMENTS = 5_000_000;
  private static final double STEPS_PER_MICROSECOND = 600;

  private LoopsForkJoin() {}

  static void triad(Run run) {
    int n = (int) run.size;
    double[] a = new double[n];
    double[] b = new double[n];
    double[] c = new double[n];
    for (int i = 0; i < n; ++i) {
      b[i] = i % 5;
      c[i] = i % 3;
    }
    long passes = Math.max(1, Math.min(run.size / 20, TRIAD_ELEMENTS / run.size));
    run.time((double) passes * n, () -> {
      for (long pass = 0; pass < passes; ++pass) {
        double s = pass % 2 + 2;
        run.pool.submit(() -> IntStream.range(0, n).parallel()
            .forEach(i -> a[i] = b[i] + s * c[i])).join();
      }
    });
    double sum = 0;
    for (double x : a) sum += x;
    run.answer((long) sum);
  }

  private static long work(int steps) {
    long x = steps + 1;
    for (int i = 0; i < steps; ++i) x = (x ^ (x >>> 29)) * 6364136223846793005L;
    return x;
  }

  /** The operator gives the microseconds of an item, from its place between 0 and 1. */
  private static void uneven(Run run, DoubleUnaryOperator microseconds) {
    int n = (int) run.size;
    int[] steps = new int[n];
    for (int i = 0; i < n; ++i) {
      steps[i] = (int) (microseconds.applyAsDouble((i + 0.5) / n) * STEPS_PER_MICROSECOND);
    }
    long[] results = new long[n];
    run.time(n, () -> run.pool.submit(() -> IntStream.range(0, n).parallel()
        .forEach(i -> results[i] = work(steps[i]) + i)).join());
    long sum = 0;
    for (long result : results) sum = sum * 31 + result;
    run.answer(sum);
  }

  static void uniform(Run run) {
    uneven(run, place -> 1);
  }

  static void skewed(Run run) {
    uneven(run, place -> 2 * place);
  }

  static void heavyFirst(Run run) {
    uneven(run, place -> place < 0.01 ? 1 : 0);
  }
}
