"""Libraries served by the operating system's packages, one macro each."""

load("//third_party:abseil.bzl", "ABSEIL_TARGETS")
load("//third_party:system_library.bzl", "source_overlay", "system_library")

def abseil(name = "com_google_absl"):
    system_library(
        name = name,
        hint = "Debian: apt-get install libabsl-dev",
        link_env = "FILCH_ABSEIL_LINK",
        prefix = "-labsl_",
        source_env = "FILCH_ABSEIL_SOURCE",
        targets = ABSEIL_TARGETS,
    )

def hwloc(name = "hwloc"):
    system_library(
        name = name,
        hint = "Debian: apt-get install libhwloc-dev",
        targets = {":hwloc": ["hwloc"]},
    )

def googletest(name = "com_google_googletest"):
    source_overlay(
        name = name,
        # Label(): a plain string would mean the caller's workspace.
        build_file = Label("//third_party:googletest.BUILD"),
        hint = "Debian: apt-get install googletest",
        path = "/usr/src/googletest",
    )

def google_benchmark(name = "com_github_google_benchmark"):
    system_library(
        name = name,
        hint = "Debian: apt-get install libbenchmark-dev",
        targets = {
            ":benchmark": ["benchmark"],
            ":benchmark_main": [
                "=-lbenchmark_main",
                "benchmark",
            ],
        },
    )

def mimalloc(name = "mimalloc"):
    # Whoever depends on it has another malloc: Debian's library exports that name too.
    system_library(
        name = name,
        hint = "Debian: apt-get install libmimalloc-dev",
        required_files = ["/usr/include/mimalloc.h"],
        targets = {":mimalloc": ["=-lmimalloc"]},
    )

def onetbb(name = "onetbb"):
    system_library(
        name = name,
        hint = "Debian: apt-get install libtbb-dev",
        targets = {
            ":tbb": ["tbb"],
            ":tbbmalloc": ["=-ltbbmalloc"],
        },
    )

def relacy(name = "relacy"):
    system_library(
        name = name,
        hint = "Debian: apt-get install relacy-dev",
        required_files = ["/usr/include/relacy/relacy.hpp"],
        targets = {":relacy": []},  # headers only, in /usr/include
    )
