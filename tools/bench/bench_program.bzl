"""bench_program: the program of one runtime, with every workload that it has."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

# As the authors of numerical programs would, and as cargo does.  A loop across two lines of 64
# bytes may take twice as long as one within a line: all have them aligned, so that what is
# compared are the runtimes.
_COPTS = [
    "-O3",
    "-falign-loops=32",
]

def bench_program(name, stem, deps = [], copts = [], linkopts = [], **kwargs):
    """Builds <name> from <workload>/<stem>.cc of every workload.

    A target carries its name as a tag, so that a machine without oneTBB can build
    the others with --build_tag_filters=-onetbb.

    Args:
      name: the runtime, as bench_report.py calls it.
      stem: which source of each workload is for it.
      deps: the runtime's library.
      copts: as for cc_binary.
      linkopts: as for cc_binary.
      **kwargs: as for cc_binary.
    """
    cc_binary(
        name = name,
        srcs = native.glob(
            [
                "*/*.h",
                "*/%s.cc" % stem,
            ],
            exclude = ["harness/*.h"],
        ),
        copts = _COPTS + copts,
        # Some workloads submit from threads of their own.
        linkopts = linkopts + ["-pthread"],
        tags = [name],
        visibility = ["//tests/bench:__pkg__"],
        deps = deps + [":harness"],
        **kwargs
    )
