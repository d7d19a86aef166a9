"""demo_program: one program built once for each implementation of TBB."""

load("@rules_cc//cc:defs.bzl", "cc_binary")

# What provides <tbb/...>, by the suffix of the programs that are built with it.
RUNTIMES = {
    "filch": "//tbb_compat",
    "onetbb": "@onetbb//:tbb",
}

def demo_program(name, srcs, deps = []):
    """Builds <name>_<runtime> from the same sources for every runtime.

    A target carries its runtime's name as a tag, so that a machine without
    oneTBB can build the others with --build_tag_filters=-onetbb.

    Args:
      name: the stem of the program.
      srcs: TBB source; compiled once for each runtime.
      deps: libraries that do not use TBB.
    """
    for runtime, library in RUNTIMES.items():
        cc_binary(
            name = name + "_" + runtime,
            srcs = srcs + ["measure.h"],
            tags = [runtime],
            visibility = ["//tests/demo:__pkg__"],
            deps = deps + [
                ":command_line",
                ":json_object",
                ":progress",
                library,
            ],
        )
