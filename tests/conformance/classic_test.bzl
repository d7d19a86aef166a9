"""classic_test: one source of TBB 2020, tested under both of filch's include roots."""

load("//tests:cc_test.bzl", "UNSANITIZED", "cc_test")

def classic_test(name, size = "small", deps = []):
    """NAME sees the classic include root, NAME with _in_modern_root the modern one.

    The reference no longer has what these tests use, so there is no peer.

    Args:
      name: ends in _test; the source is NAME.cc.
      size: as in cc_test.
      deps: besides the TBB and GoogleTest.
    """
    for test, tbb, tags in [
        (name, "//tbb_compat:classic", []),
        # The same headers.
        (name[:-len("_test")] + "_in_modern_root_test", "//tbb_compat", UNSANITIZED),
    ]:
        cc_test(
            name = test,
            size = size,
            srcs = [name + ".cc"],
            local_defines = ["TBB_USE_ASSERT=1"],
            tags = tags,
            deps = deps + [
                tbb,
                "@com_google_googletest//:gtest_main",
            ],
        )
