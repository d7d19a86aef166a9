"""programs_tests: programs_test.py for each runtime that Bazel builds."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def programs_tests(name, runtimes, not_instrumented):
    """Defines <name>_<runtime>.

    Args:
      name: the stem of the Python file.
      runtimes: programs of tools/bench.
      not_instrumented: those whose runtime comes compiled, so that what it does to
        the programs' memory looks like a race.
    """
    for runtime in runtimes:
        sh_test(
            name = name + "_" + runtime,
            size = "medium",
            srcs = ["//tests:run_python.sh"],
            args = [
                "$(location %s.py)" % name,
                runtime,
            ],
            data = [
                name + ".py",
                "//tools/bench:bench_rows.py",
                "//tools/bench:serial",
            ] + ([] if runtime == "serial" else ["//tools/bench:" + runtime]),
            tags = ["no_asan", "no_tsan"] if runtime in not_instrumented else [],
        )
