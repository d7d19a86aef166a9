package bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveTask;

/** Queens on a board: every node of the search is a task. */
final class QueensForkJoin extends RecursiveTask<Long> {
  // The rows so far, as sets of squares that they attack in the next row.
  private final int all;
  private final int columns;
  private final int falling;
  private final int rising;

  private QueensForkJoin(int all, int columns, int falling, int rising) {
    this.all = all;
    this.columns = columns;
    this.falling = falling;
    this.rising = rising;
  }

  private List<QueensForkJoin> children() {
    List<QueensForkJoin> children = new ArrayList<>();
    for (int free = all & ~(columns | falling | rising); free != 0; free &= free - 1) {
      int square = free & -free;
      children.add(new QueensForkJoin(
          all, columns | square, (falling | square) << 1, (rising | square) >>> 1));
    }
    return children;
  }

  private long nodes() {
    long count = 1;
    for (QueensForkJoin child : children()) count += child.nodes();
    return count;
  }

  @Override
  protected Long compute() {
    if (columns == all) return 1L;
    List<QueensForkJoin> children = children();
    ForkJoinTask.invokeAll(children);
    long sum = 0;
    for (QueensForkJoin child : children) sum += child.join();
    return sum;
  }

  static void run(Run run) {
    int all = (1 << run.size) - 1;
    long[] count = new long[1];
    run.time(new QueensForkJoin(all, 0, 0, 0).nodes(),
        () -> count[0] = run.pool.invoke(new QueensForkJoin(all, 0, 0, 0)));
    run.answer(count[0]);
  }
}
