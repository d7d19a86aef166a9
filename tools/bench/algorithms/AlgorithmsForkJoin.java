package bench;

import java.util.Arrays;
import java.util.stream.IntStream;

/** What the class library offers, in the pool of the run. */
final class AlgorithmsForkJoin {
  private AlgorithmsForkJoin() {}

  private static double[] smallNumbers(Run run) {
    return IntStream.range(0, (int) run.size).mapToDouble(i -> i % 5).toArray();
  }

  static void reduce(Run run) {
    double[] numbers = smallNumbers(run);
    double[] sum = new double[1];
    run.time(run.size, () -> sum[0] = run.pool.submit(() ->
        Arrays.stream(numbers).parallel().reduce(0, Double::sum)).join());
    run.answer((long) sum[0]);
  }

  static void scan(Run run) {
    double[] numbers = smallNumbers(run);
    double[][] sums = new double[1][];
    run.time(run.size, () -> sums[0] = numbers.clone(), () ->
        run.pool.submit(() -> Arrays.parallelPrefix(sums[0], Double::sum)).join());
    run.answer((long) Arrays.stream(sums[0]).sum());
  }

  static void sort(Run run) {
    int[] shuffled = new int[(int) run.size];
    long x = 1;
    for (int i = 0; i < shuffled.length; ++i) {
      x = x * 6364136223846793005L + 1442695040888963407L;
      shuffled[i] = (int) (x >>> 33);
    }
    int[][] numbers = new int[1][];
    run.time(run.size, () -> numbers[0] = shuffled.clone(), () ->
        run.pool.submit(() -> Arrays.parallelSort(numbers[0])).join());
    long order = 0;
    for (int number : numbers[0]) order = order * 31 + number;
    run.answer(order);
  }
}
