"""mutant_test: puts an error back into a header and expects a model to fail."""

load("@rules_cc//cc:defs.bzl", "cc_library", "cc_test")

def mutant_test(name, layer, stem, header_deps, error, scenarios, scenario, deps, copts, tags):
    """Builds a scenario with a header that has an error in it.

    Args:
      name: ends in _mutant_test.
      layer: the folder of the header.
      stem: of the header.
      header_deps: what the header includes.
      error: a sed script that makes it; one that changes nothing fails to build.
      scenarios: the header in the caller's folder that has the scenario, and the others there
        that it includes.
      scenario: the one that catches it.
      deps: what the scenarios include, but for the header.
      copts: as for the model tests.
      tags: as for the model tests.
    """
    folder = name + "_include"
    native.genrule(
        name = name + "_header",
        testonly = True,
        srcs = ["//%s:%s.h" % (layer, stem)],
        outs = ["%s/%s.h" % (folder, stem)],
        cmd = "sed -e '%s' $< > $@ && ! cmp -s $< $@" % error,
    )
    cc_library(
        name = name + "_library",
        testonly = True,
        hdrs = ["%s/%s.h" % (folder, stem)],
        include_prefix = "filch/" + layer,
        strip_include_prefix = folder,
        deps = header_deps,
    )
    cc_test(
        name = name,
        size = "small",
        srcs = ["//tests/model:mutant_model_test.cc"] + scenarios,
        copts = copts,
        local_defines = [
            "FILCH_SCENARIO=" + scenario,
            "FILCH_SCENARIOS=\\\"%s/%s\\\"" % (native.package_name(), scenarios[0]),
        ],
        tags = tags,
        # First, where others need the header, too: they have an include path to it as it is.
        deps = [name + "_library"] + deps,
    )
