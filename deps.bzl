"""External repositories of filch, for WORKSPACE users.

    local_repository(name = "filch", path = "...")   # or http_archive
    load("@filch//:deps.bzl", "filch_deps")
    filch_deps()

A repository that the caller has already defined is left alone, so to use, say,
your own Abseil, define com_google_absl before calling filch_deps().  The others
are served from the operating system's packages.
"""

load("//third_party:alias_onetbb.bzl", "alias_onetbb")
load("//third_party:bazel_compat.bzl", "coverage_tools", "rules_cc_shim", "rules_shell_shim")
load(
    "//third_party:libraries.bzl",
    "abseil",
    "google_benchmark",
    "googletest",
    "hwloc",
    "mimalloc",
    "onetbb",
    "relacy",
)

def _maybe(rule, name, **kwargs):
    if not native.existing_rule(name):
        rule(name = name, **kwargs)

def filch_deps():
    """Libraries that filch builds on."""
    _maybe(abseil, "com_google_absl")
    _maybe(hwloc, "hwloc")

def filch_as_onetbb(name = "onetbb"):
    """@onetbb//:tbb, as programs depend on oneTBB, becomes filch's tbb_compat.

    Args:
      name: of the repository; some projects call it oneTBB.
    """

    # str(Label()): as this repository is called where it is used.
    _maybe(alias_onetbb, name, actual = str(Label("//tbb_compat")))

def filch_dev_deps():
    """What only filch's own tests and benchmarks need."""
    _maybe(googletest, "com_google_googletest")
    _maybe(google_benchmark, "com_github_google_benchmark")
    _maybe(mimalloc, "mimalloc")
    _maybe(onetbb, "onetbb")
    _maybe(relacy, "relacy")

def filch_debian_bazel():
    """What Debian's Bazel 4 would otherwise try to download."""
    _maybe(rules_cc_shim, "rules_cc")
    _maybe(rules_shell_shim, "rules_shell")
    _maybe(coverage_tools, "remote_coverage_tools")
    for name, path in {
        "bazel_skylib": "tools/skylib",
        "platforms": "tools/platforms",
        "rules_java": "rules/java",
        "rules_proto": "rules/proto",
    }.items():
        _maybe(native.local_repository, name, path = "/usr/share/bazel/" + path)
