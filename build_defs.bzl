"""filch_cc_library: a cc_library whose headers are reached as <filch/...>.

The folder names (deque/, pool/, ...) are too general to stand alone on the
include path of somebody's project, so every header is included with the
project's name in front: "filch/deque/split_deque.h".
"""

load("@rules_cc//cc:defs.bzl", "cc_library")

def filch_cc_library(name, **kwargs):
    """A cc_library whose headers are included as "filch/<package>/<header>".

    Args:
      name: the stem of its main header.
      **kwargs: everything else that cc_library takes.
    """
    cc_library(
        name = name,
        include_prefix = "filch/" + native.package_name(),
        strip_include_prefix = "/" + native.package_name(),
        **kwargs
    )
