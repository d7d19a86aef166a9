"""part_mutant_test: puts an error back into a part of the pool and expects a model to fail."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

def part_mutant_test(name, stem, part_deps, error, scenario, deps, copts, tags, scenarios = ["pool_scenarios.h", "pool_model.h"]):
    """Builds a scenario with a part of the pool that has an error in it.

    Args:
      name: ends in _mutant_test.
      stem: of the part's header.
      part_deps: what the header includes.
      error: a sed script that makes it; one that changes nothing fails to build.
      scenario: the one that catches it.
      deps: what the scenarios include, but for the part.
      copts: as for the model tests.
      tags: as for the model tests.
      scenarios: the header that has the scenario, and the others that it includes.
    """
    folder = name + "_include"
    native.genrule(
        name = name + "_header",
        testonly = True,
        srcs = ["//pool:%s.h" % stem],
        outs = ["%s/%s.h" % (folder, stem)],
        cmd = "sed -e '%s' $< > $@ && ! cmp -s $< $@" % error,
    )
    cc_library(
        name = name + "_part",
        testonly = True,
        hdrs = ["%s/%s.h" % (folder, stem)],
        include_prefix = "filch/pool",
        strip_include_prefix = folder,
        deps = part_deps,
    )
    cc_test(
        name = name,
        size = "small",
        srcs = ["logic_mutant_model_test.cc"] + scenarios,
        copts = copts,
        local_defines = [
            "FILCH_SCENARIO=" + scenario,
            "FILCH_SCENARIOS=\\\"tests/model/pool/%s\\\"" % scenarios[0],
        ],
        tags = tags,
        # First, where other parts need the header, too: they have an include path to it as it is.
        deps = [name + "_part"] + deps,
    )
