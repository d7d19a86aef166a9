"""python_test: a test that is written in Python."""

load("@rules_shell//shell:sh_test.bzl", "sh_test")

def python_test(name, source = None, args = [], data = [], size = "small", **kwargs):
    """Runs a source of the caller's folder with the machine's python3.

    Args:
      name: of the test.
      source: NAME.py by default.
      args: for the source.
      data: what it reads, besides itself.
      size: as in sh_test.
      **kwargs: as in sh_test.
    """
    source = source or name + ".py"
    sh_test(
        name = name,
        size = size,
        srcs = ["//tests:run_python.sh"],
        args = ["$(location %s)" % source] + args,
        data = [source] + data,
        **kwargs
    )
