"""headers_compile_alone: each header is the whole of a source file."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def headers_compile_alone(name, headers, deps, prefixes = ["tbb", "oneapi/tbb"]):
    """A program of one source file per spelling of each header.

    Compiling it shows that each header includes what it uses; linking it, that
    no header defines a symbol twice.

    Args:
      name: of the test.
      headers: stems, as in <tbb/STEM.h>.
      deps: what provides them.
      prefixes: the spellings, TBB 2020 having one.
    """
    sources = []
    for header in headers + ["tbb"]:
        for prefix in prefixes:
            path = "%s/%s.h" % (prefix, header)
            if path == "oneapi/tbb/tbb.h":
                path = "oneapi/tbb.h"
            source = "%s_%s.cc" % (name, path.replace("/", "_")[:-2])
            native.genrule(
                name = source[:-3],
                outs = [source],
                cmd = "printf '#include <%s>\\n' > $@" % path,
            )
            sources.append(source)
    native.genrule(
        name = name + "_main",
        outs = [name + "_main.cc"],
        cmd = "echo 'int main() {}' > $@",
    )
    cc_test(
        name = name,
        size = "small",
        srcs = sources + [name + "_main.cc"],
        # The flags that users compile their own code with.
        copts = [
            "-Wall",
            "-Wextra",
            "-Wshadow",
            "-Wconversion",
            "-Werror",
            # Nothing runs.
            "-O0",
            "-U_FORTIFY_SOURCE",
        ],
        tags = ["no_asan", "no_tsan", "no_ubsan"],
        deps = deps,
    )
