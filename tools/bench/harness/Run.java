package bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;

/** One run of one workload; the same as harness/run.h. */
public final class Run {
  public final long size;
  public final int threads;
  public final int repeat;
  public final ForkJoinPool pool;
  private String answer = "";
  private final Map<String, List<Double>> metrics = new TreeMap<>();

  Run(long size, int threads, int repeat) {
    this.size = size;
    this.threads = threads;
    this.repeat = repeat;
    this.pool = new ForkJoinPool(threads);
  }

  /** Calls the body until it is compiled, half a second at most, and then `repeat` times. */
  public void time(double units, Runnable body) {
    time(units, () -> {}, body);
  }

  /** The same; what `prepare` does before each call does not count. */
  public void time(double units, Runnable prepare, Runnable body) {
    long warm = System.nanoTime();
    int calls = 0;
    do {
      prepare.run();
      body.run();
    } while (++calls < 20 && System.nanoTime() - warm < 500_000_000L);
    for (int i = 0; i < repeat; ++i) {
      prepare.run();
      long begin = System.nanoTime();
      body.run();
      record("ns", (System.nanoTime() - begin) / units);
    }
  }

  public void record(String metric, double value) {
    metrics.computeIfAbsent(metric, name -> new ArrayList<>()).add(value);
  }

  public void answer(Object value) {
    answer = value.toString();
  }

  static double median(List<Double> values) {
    List<Double> sorted = new ArrayList<>(values);
    sorted.sort(null);
    return sorted.get((sorted.size() - 1) / 2);
  }

  private static double peakKilobytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
        if (line.startsWith("VmHWM:")) return Double.parseDouble(line.replaceAll("[^0-9]", ""));
      }
    } catch (IOException problem) {
      // Another operating system: nobody says.
    }
    return 0;
  }

  /** The result as JSON; every text in it is plain. */
  String json(String workload) {
    record("peak_kb", peakKilobytes());
    double seconds = metrics.containsKey("ns") ? median(metrics.get("ns")) * 1e-9 : 0;
    StringBuilder all = new StringBuilder();
    metrics.forEach((name, values) ->
        all.append(all.length() == 0 ? "" : ", ").append('"').append(name).append("\": ")
            .append(values));
    return "{\"workload\": \"" + workload + "\", \"runtime\": \"java\", \"version\": \""
        + System.getProperty("java.version") + "\", \"threads\": " + threads + ", \"seconds\": "
        + seconds + ", \"answer\": \"" + answer + "\", \"metrics\": {" + all + "}}\n";
  }
}
