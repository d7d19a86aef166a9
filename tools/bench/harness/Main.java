package bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The program for Java's ForkJoinPool: runs one of its workloads, like harness/main.cc. */
public final class Main {
  private static final Map<String, Consumer<Run>> WORKLOADS = new TreeMap<>(Map.ofEntries(
      Map.entry("fib_join", FibForkJoin::run),
      Map.entry("fib_group", FibForkJoin::run),
      Map.entry("loop_heavy_first", LoopsForkJoin::heavyFirst),
      Map.entry("loop_skewed", LoopsForkJoin::skewed),
      Map.entry("loop_uniform", LoopsForkJoin::uniform),
      Map.entry("queens_join", QueensForkJoin::run),
      Map.entry("queens_group", QueensForkJoin::run),
      Map.entry("reduce", AlgorithmsForkJoin::reduce),
      Map.entry("scan", AlgorithmsForkJoin::scan),
      Map.entry("skynet", SkynetForkJoin::run),
      Map.entry("sort", AlgorithmsForkJoin::sort),
      Map.entry("triad", LoopsForkJoin::triad)));

  public static void main(String[] words) throws IOException {
    long size = 1;
    int threads = 2;
    int repeat = 3;
    String json = null;
    String workload = "";
    for (int i = 0; i < words.length; ++i) {
      switch (words[i]) {
        case "--list":
          WORKLOADS.keySet().forEach(System.out::println);
          return;
        case "--size": size = Long.parseLong(words[++i]); break;
        case "--threads": threads = Integer.parseInt(words[++i]); break;
        case "--repeat": repeat = Integer.parseInt(words[++i]); break;
        case "--json": json = words[++i]; break;
        default: workload = words[i];
      }
    }
    if (!WORKLOADS.containsKey(workload)) {
      System.err.println("java: Name one workload of those that --list prints.");
      System.exit(2);
    }
    // By this, and not by the pool that they run in, the class library splits arrays.
    System.setProperty("java.util.concurrent.ForkJoinPool.common.parallelism", "" + threads);
    Run run = new Run(size, threads, repeat);
    WORKLOADS.get(workload).accept(run);
    if (json == null) {
      System.out.print(run.json(workload));
    } else {
      Files.writeString(Path.of(json), run.json(workload));
    }
  }
}
