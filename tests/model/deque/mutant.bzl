"""logic_mutant_test: puts an error back into a deque and expects a model to fail."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

def logic_mutant_test(name, stem, error, scenario, deps, copts, tags):
    """Builds a scenario with a deque that has an error in it.

    Args:
      name: ends in _mutant_test.
      stem: of the deque's header and of its scenarios.
      error: a sed script that makes it; one that changes nothing fails to build.
      scenario: the one that catches it.
      deps: what the deque's header includes.
      copts: as for the model tests.
      tags: as for the model tests.
    """
    folder = name + "_include"
    native.genrule(
        name = name + "_header",
        testonly = True,
        srcs = ["//deque:%s.h" % stem],
        outs = ["%s/%s.h" % (folder, stem)],
        cmd = "sed -e '%s' $< > $@ && ! cmp -s $< $@" % error,
    )
    cc_library(
        name = name + "_deque",
        testonly = True,
        hdrs = ["%s/%s.h" % (folder, stem)],
        include_prefix = "filch/deque",
        strip_include_prefix = folder,
        deps = deps,
    )
    cc_test(
        name = name,
        size = "small",
        srcs = [
            "logic_mutant_model_test.cc",
            stem + "_scenarios.h",
        ],
        copts = copts,
        local_defines = [
            "FILCH_SCENARIO=" + scenario,
            "FILCH_SCENARIOS=\\\"tests/model/deque/%s_scenarios.h\\\"" % stem,
        ],
        tags = tags,
        deps = [
            name + "_deque",
            ":model_kit",
        ],
    )
