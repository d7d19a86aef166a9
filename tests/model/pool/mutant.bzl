"""workforce_mutant_test: puts an error back into pool/workforce.h and expects a model to fail."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

def workforce_mutant_test(name, error, scenario, deps, copts, tags):
    """Builds a scenario of pool_scenarios.h with a Workforce that has an error in it.

    Args:
      name: ends in _mutant_test.
      error: a sed script that makes it; one that changes nothing fails to build.
      scenario: the one that catches it.
      deps: what the scenarios include, but for workforce.h.
      copts: as for the model tests.
      tags: as for the model tests.
    """
    folder = name + "_include"
    native.genrule(
        name = name + "_header",
        testonly = True,
        srcs = ["//pool:workforce.h"],
        outs = [folder + "/workforce.h"],
        cmd = "sed -e '%s' $< > $@ && ! cmp -s $< $@" % error,
    )
    cc_library(
        name = name + "_workforce",
        testonly = True,
        hdrs = [folder + "/workforce.h"],
        include_prefix = "filch/pool",
        strip_include_prefix = folder,
        deps = [
            "//pool:sleeper_set",
            "//topology:std_atomics",
        ],
    )
    cc_test(
        name = name,
        size = "small",
        srcs = [
            "logic_mutant_model_test.cc",
            "pool_model.h",
            "pool_scenarios.h",
        ],
        copts = copts,
        local_defines = ["FILCH_SCENARIO=" + scenario],
        tags = tags,
        deps = deps + [name + "_workforce"],
    )
