"""programs_tests: the same questions to the programs of every runtime."""

load("//tests:python_test.bzl", "python_test")
load("//tools/demo_programs:runtimes.bzl", "RUNTIMES")

def programs_tests(name, programs):
    """Makes <name>_<runtime> for every runtime.

    Args:
      name: the stem of the Python file.
      programs: the stems of the programs that it runs.
    """
    for runtime in RUNTIMES:
        python_test(
            name = name + "_" + runtime,
            size = "medium",
            args = [
                "tools/demo_programs",
                runtime,
            ],
            data = [
                "//tools/demo_programs:%s_%s" % (program, runtime)
                for program in programs
            ],
            source = name + ".py",
            # The system's oneTBB is not instrumented: what it does to the
            # programs' memory looks like a race.
            tags = ["no_asan", "no_tsan"] if runtime == "onetbb" else [],
        )
