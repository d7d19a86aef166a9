"""execution_test: a test of <execution> on filch's TBB and on oneTBB."""

load("//tests:cc_test.bzl", "UNSANITIZED", "cc_test")

def execution_test(name, srcs = None, size = "small", deps = [], local_defines = [], tags = [], peer = True):
    """NAME sees the modern include root, NAME with _in_classic_root the classic one.

    libstdc++ asks for the TBB's version and then uses tasks of that era. With
    _on_onetbb it runs on the system's oneTBB, as in conformance_test.

    Args:
      name: ends in _test.
      srcs: NAME.cc by default.
      size: as in cc_test.
      deps: besides the TBB and GoogleTest.
      local_defines: as in cc_test.
      tags: as in cc_test.
      peer: whether it is to be tested on oneTBB.
    """
    variants = [
        (name, "//tbb_compat", tags, "precompiled_gtest", []),
        # Other tasks, which the tests of classic tasks have the sanitizers look at.
        (name[:-len("_test")] + "_in_classic_root_test", "//tbb_compat:classic", tags + UNSANITIZED, "precompiled_gtest", []),
    ]
    if peer:
        # The peer is a shared library without instrumentation.
        variants.append((name[:-len("_test")] + "_on_onetbb_test", "@onetbb//:tbb", UNSANITIZED + ["peer"], "precompiled_onetbb", ["CONFORMANCE_ON_ONETBB"]))
    for test, tbb, test_tags, precompiled, which in variants:
        cc_test(
            name = test,
            size = size,
            srcs = srcs or [name + ".cc"],
            local_defines = local_defines + which,
            precompiled = precompiled,
            tags = test_tags,
            deps = deps + [
                tbb,
                "@com_google_googletest//:gtest_main",
            ],
        )
