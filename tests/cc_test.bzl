"""cc_test, as this workspace's GoogleTest tests want it."""

load("@rules_cc//cc:defs.bzl", _cc_test = "cc_test")

# Most of a test's time is its compiler's, and -O1 takes it half as long again as -O0.
# What is tested lies in libraries, which are optimised.
TEST_COPTS = ["-O0", "-U_FORTIFY_SOURCE"]

# The tags of a test that no sanitizer runs.
UNSANITIZED = ["no_asan", "no_tsan", "no_ubsan"]

def cc_test(name, deps, copts = [], precompiled = "precompiled_gtest", **kwargs):
    """A cc_test of which GoogleTest's headers are parsed already.

    Args:
      name: as in cc_test.
      deps: as in cc_test.
      copts: as in cc_test.
      precompiled: the precompiled_header of //tests that has them.
      **kwargs: as in cc_test.
    """
    _cc_test(
        name = name,
        copts = TEST_COPTS + ["-include", "tests/%s.h" % precompiled] + copts,
        deps = deps + ["//tests:" + precompiled],
        **kwargs
    )
