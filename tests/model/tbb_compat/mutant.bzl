"""header_mutant_test: puts an error back and expects a model to fail."""

load("@rules_cc//cc:defs.bzl", "cc_test")
load("//tests/model:model_flags.bzl", "MODEL_TAGS", "MUTANT_COPTS")

def header_mutant_test(name, header, error, scenario, scenarios):
    """Builds a scenario with a header that has an error in it.

    Args:
      name: ends in _mutant_test.
      header: the one that gets it.
      error: a sed script that makes it; one that changes nothing fails to build.
      scenario: the one that catches it.
      scenarios: the header that has the scenario.
    """
    native.genrule(
        name = name + "_header",
        testonly = True,
        srcs = [header],
        outs = [name + ".h"],
        # It is elsewhere than what it includes.
        cmd = ("sed -e '%s' $< > $@.quoted && ! cmp -s $< $@.quoted && " % error +
               "sed -e 's,#include \"_\\(.*\\)\",#include <oneapi/tbb/detail/_\\1>,' $@.quoted > $@"),
    )
    cc_test(
        name = name,
        size = "small",
        srcs = [
            name + ".h",
            "//tests/model:mutant_model_test.cc",
        ],
        copts = MUTANT_COPTS + ["-include", "$(location %s.h)" % name],
        local_defines = [
            "FILCH_SCENARIO=" + scenario,
            "FILCH_SCENARIOS=\\\"tests/model/tbb_compat/%s\\\"" % scenarios,
        ],
        tags = MODEL_TAGS,
        deps = [
            ":scenarios",
            "//tests/model/deque:model_kit",
        ],
    )
