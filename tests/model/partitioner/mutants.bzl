"""Mutants: a model test that passes is worth something if it fails when the
source is wrong.  Each mutant is the production header with one edit, put before
the original on the include path of the model test, which then has to fail.
"""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
load("@rules_shell//shell:sh_test.bzl", "sh_test")

def model_mutants(name, model, deps, copts, tags, mutants):
    """One test that runs `model` against every mutant and wants each to fail.

    Args:
      name: of the test.
      model: the source of the model test.
      deps: of the model test.
      copts: of the model test.
      tags: of the test.
      mutants: {mutant: (header in //partitioner, sed expression)}.
    """
    binaries = []
    for mutant, (header, edit) in mutants.items():
        folder = "mutants/%s/%s" % (name, mutant)

        # An edit that no longer matches the source is an error, not a pass.
        native.genrule(
            name = "%s_%s_header" % (name, mutant),
            testonly = True,
            srcs = ["//partitioner:" + header],
            outs = ["%s/%s" % (folder, header)],
            cmd = "sed -e '%s' $< > $@ && ! cmp -s $< $@" % edit.replace("$", "$$"),
        )
        cc_library(
            name = "%s_%s_library" % (name, mutant),
            testonly = True,
            hdrs = [":%s_%s_header" % (name, mutant)],
            include_prefix = "filch/partitioner",
            strip_include_prefix = folder,
        )
        cc_binary(
            name = "%s_%s" % (name, mutant),
            testonly = True,
            srcs = [model],
            copts = copts,
            tags = tags + ["manual"],
            # First, so that its header is found before the original.
            deps = [":%s_%s_library" % (name, mutant)] + deps,
        )
        binaries.append(":%s_%s" % (name, mutant))
    sh_test(
        name = name,
        size = "medium",
        srcs = ["mutants_test.sh"],
        args = ["$(location %s)" % binary for binary in binaries],
        data = binaries,
        tags = tags,
    )
