"""cc_test, as this workspace's GoogleTest tests want it."""

load("@rules_cc//cc:defs.bzl", _cc_test = "cc_test")

# A test is compiled a third faster with -O1 than with -O2; what it tests is not in
# its file, but for templates and what is inlined.  Half as fast again is -O0, for
# what is tested elsewhere.
TEST_COPTS = {
    False: ["-O1"],
    True: ["-O0", "-U_FORTIFY_SOURCE"],
}

_PRECOMPILED = {
    False: "precompiled_gtest",
    True: "precompiled_gtest_unoptimized",
}

def cc_test(name, deps, copts = [], unoptimized = False, **kwargs):
    """A cc_test of which GoogleTest's headers are parsed already.

    Args:
      name: as in cc_test.
      deps: as in cc_test.
      copts: as in cc_test.
      unoptimized: whether only the compiler's time matters.
      **kwargs: as in cc_test.
    """
    header = _PRECOMPILED[unoptimized]
    _cc_test(
        name = name,
        copts = TEST_COPTS[unoptimized] + ["-include", "tests/%s.h" % header] + copts,
        deps = deps + ["//tests:" + header],
        **kwargs
    )
