"""headers_compile_alone: each header is the whole of a source file.

headers_compile_together: all of them are in one.
"""

load("@rules_cc//cc:defs.bzl", "cc_test")
load("//tests:cc_test.bzl", "UNSANITIZED")

# The flags that users compile their own code with.
_WARNINGS = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wundef", "-Werror"]

def _line(prefix, header):
    path = "%s/%s.h" % (prefix, header)
    return "#include <%s>" % path.replace("oneapi/tbb/tbb.h", "oneapi/tbb.h")

def _forwards(name, headers):
    """A source file with all headers of the classic root that only name the modern one's.

    What compiles alone there does so behind the version's header, too: it need not be
    compiled once more.  Fails where a header says more than that, or the modern one
    something else to programs of TBB 2020.

    Args:
      name: of the file, without its extension.
      headers: their stems.
    """
    native.genrule(
        name = name,
        srcs = ["//tbb_compat:headers"],
        outs = [name + ".cc"],
        cmd = """
          for stem in %s; do
            words='tbb_stddef.h|tbb_exception.h|../../../include/oneapi/tbb/'"$$stem.h"
            if grep -HvxE '//.*|#include "('"$$words"')"' tbb_compat/classic/include/tbb/$$stem.h >&2 ||
              grep -H FILCH_TBB_CLASSIC tbb_compat/include/oneapi/tbb/$$stem.h >&2; then
              echo "<tbb/$$stem.h> of the classic root is of its own: it has to compile alone." >&2
              exit 1
            fi
            echo "#include <tbb/$$stem.h>"
          done > $@
        """ % " ".join(headers),
    )

def headers_compile_alone(
        name,
        headers,
        deps,
        prefixes = ["tbb", "oneapi/tbb"],
        old_headers = [],
        forwards = []):
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
      forwards: stems of those of the classic root that only name the modern one's.
    """
    sources = []
    if forwards:
        _forwards(name + "_forwards", forwards)
        sources.append(name + "_forwards.cc")
    for header in headers + ["tbb"] + old_headers:
        spellings = ["tbb"] if header in old_headers else prefixes
        lines = [_line(prefix, header) for prefix in spellings]
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
        # Nothing runs.
        copts = _WARNINGS + ["-O0", "-U_FORTIFY_SOURCE"],
        tags = UNSANITIZED,
        deps = deps,
    )

def headers_compile_together(name, headers, prefixes, copts, deps):
    """A program of one source file with all the headers.

    Args:
      name: of the test.
      headers: stems, as in <tbb/STEM.h>.
      prefixes: the spellings.
      copts: how to compile it, besides the flags that warn.
      deps: what provides them.
    """
    lines = [_line(prefix, header) for prefix in prefixes for header in headers]
    native.genrule(
        name = name + "_source",
        outs = [name + "_source.cc"],
        cmd = "printf '%s\\nint main() {}\\n' > $@" % "\\n".join(lines),
    )
    cc_test(
        name = name,
        size = "small",
        srcs = [name + "_source.cc"],
        # Nothing runs.
        copts = _WARNINGS + ["-O0", "-U_FORTIFY_SOURCE"] + copts,
        tags = UNSANITIZED,
        deps = deps,
    )
