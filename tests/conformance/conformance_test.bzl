"""conformance_test: one source, tested against two TBBs."""

load("//tests:cc_test.bzl", "UNSANITIZED", "cc_test")

# Tests of what the headers bring along, and those that define macros for them: no
# header of oneTBB may have been parsed before.
_NOTHING_BEFORE = [
    "blocked_rangeNd_test",
    "comes_along_test",
    "debug_macro_test",
    "foreign_macros_test",
    "info_test",
    "memory_pool_test",
    "pipeline_filter_nodes_test",
    "task_arena_test",
    "task_group_test",
    "tbb_header_test",
]

def conformance_test(name, srcs = None, size = "small", deps = [], peer = True, peer_deps = [], filch = True, tags = []):
    """Builds a test of the TBB interface against filch and against oneTBB.

    NAME runs on filch, NAME with _on_onetbb before its _test on the system's
    oneTBB, which keeps the test honest: a contract that oneTBB breaks is not
    the contract, unless the test says so (see on_onetbb.h).

    Args:
      name: ends in _test.
      srcs: NAME.cc by default.
      size: as in cc_test.
      deps: besides the TBB and GoogleTest.
      peer: False where the system's oneTBB is too old to have the header.
      peer_deps: what the test needs of oneTBB besides the scheduler's library.
      filch: False where filch does not have it yet.
      tags: of the test on filch.
    """
    srcs = srcs or [name + ".cc"]
    deps = deps + ["@com_google_googletest//:gtest_main"]
    if filch:
        cc_test(
            name = name,
            size = size,
            srcs = srcs,
            tags = tags,
            deps = deps + ["//tbb_compat"],
        )
    if peer:
        cc_test(
            name = name[:-len("_test")] + "_on_onetbb_test",
            size = size,
            srcs = srcs,
            local_defines = ["CONFORMANCE_ON_ONETBB"],
            precompiled = "precompiled_gtest" if name in _NOTHING_BEFORE else "precompiled_onetbb",
            # The peer is a shared library without instrumentation.
            tags = UNSANITIZED + ["peer"],
            deps = deps + peer_deps + ["@onetbb//:tbb"],
        )
