"""programs_tests: programs_test.py for each runtime that Bazel builds."""

load("//tests:python_test.bzl", "python_test")

def programs_tests(name, runtimes, not_instrumented):
    """Defines <name>_<runtime>.

    Args:
      name: the stem of the Python file.
      runtimes: programs of tools/bench.
      not_instrumented: those whose runtime comes compiled, so that what it does to
        the programs' memory looks like a race.
    """
    for runtime in runtimes:
        python_test(
            name = name + "_" + runtime,
            size = "medium",
            args = [runtime],
            data = [
                "//tools/bench:bench_rows.py",
                "//tools/bench:serial",
            ] + ([] if runtime == "serial" else ["//tools/bench:" + runtime]),
            source = name + ".py",
            tags = ["no_asan", "no_tsan"] if runtime in not_instrumented else [],
        )
