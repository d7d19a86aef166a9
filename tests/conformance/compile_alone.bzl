"""headers_compile_alone: each header is the whole of a source file."""

load("@rules_cc//cc:defs.bzl", "cc_test")

def headers_compile_alone(name, headers, deps, prefixes = ["tbb", "oneapi/tbb"], old_headers = []):
    """A program of one source file per header.

    Compiling it shows that each header includes what it uses; linking it, that
    no header defines a symbol twice.  The spellings of a header are in one file, for
    the first does nothing but include the other.

    Args:
      name: of the test.
      headers: stems, as in <tbb/STEM.h>.
      deps: what provides them.
      prefixes: the spellings, TBB 2020 having one.
      old_headers: stems of more of TBB 2020's.
    """
    sources = []
    for header in headers + ["tbb"] + old_headers:
        spellings = ["tbb"] if header in old_headers else prefixes
        paths = ["%s/%s.h" % (prefix, header) for prefix in spellings]
        lines = ["#include <%s>" % path.replace("oneapi/tbb/tbb.h", "oneapi/tbb.h") for path in paths]
        source = "%s_%s" % (name, header)
        native.genrule(
            name = source,
            outs = [source + ".cc"],
            cmd = "printf '%s\\n' > $@" % "\\n".join(lines),
        )
        sources.append(source + ".cc")
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
