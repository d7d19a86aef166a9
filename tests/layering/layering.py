"""What the layers depend on, as Bazel sees it and as the sources say it.

Each check returns a list of sentences, one for each thing that is wrong.
"""
import dataclasses
import os
import re
import xml.etree.ElementTree as ElementTree


@dataclasses.dataclass
class Library:
    """One cc_library; labels as Bazel writes them, files relative to the workspace."""
    deps: list = dataclasses.field(default_factory=list)
    headers: list = dataclasses.field(default_factory=list)
    sources: list = dataclasses.field(default_factory=list)
    linkopts: list = dataclasses.field(default_factory=list)


def conventional(label):
    """The label as BUILD files write it: Bazel modules have longer names, such as
    @@abseil-cpp~//... and @@filch~system_libraries~hwloc//..."""
    repository, package = re.fullmatch(r"@*([^/]*)(//.*)", label).groups()
    if not repository:
        return package
    name = [part for part in re.split("[~+]", repository) if part][-1]
    return "@" + {"abseil-cpp": "com_google_absl"}.get(name, name) + package


def layer_of(label):
    """"deque" of //deque:split_deque, "@hwloc" of @hwloc//:hwloc."""
    return re.match(r"@[^/]*|//([^:/]*)", label).group(1) or re.match(r"@[^/]*", label).group(0)


def file_of(label):
    return label[2:].replace(":", "/")


def read_graph(xml_text):
    """label -> Library, from the XML of a Bazel query."""
    graph = {}
    for rule in ElementTree.fromstring(xml_text).iter("rule"):
        if not rule.get("class").startswith("cc_library"):
            continue
        lists = {entry.get("name"): [conventional(child.get("value")) if child.tag == "label"
                                     else child.get("value") for child in entry]
                 for entry in rule.iter("list")}
        graph[conventional(rule.get("name"))] = Library(
            deps=lists.get("deps", []) + lists.get("implementation_deps", []),
            headers=[file_of(label) for label in lists.get("hdrs", [])],
            sources=[file_of(label) for label in lists.get("srcs", [])],
            linkopts=lists.get("linkopts", []))
    return graph


def libraries_in(build_file, package):
    """The labels of the libraries that a BUILD file names."""
    return ["//%s:%s" % (package, name) for name in
            re.findall(r'cc_library\(\s*name = "([^"]+)"', build_file)]


def check_complete(graph, labels):
    return ["%s is not checked: add it to `libraries` in tests/layering/BUILD.bazel." % label
            for label in labels if label not in graph]


def check_arrows(graph, arrows):
    """`arrows`: layer -> the layers, targets and external packages it may depend on."""
    return ["%s must not depend on %s." % (label, dep)
            for label, library in sorted(graph.items()) if layer_of(label) in arrows
            for dep in library.deps
            if layer_of(dep) != layer_of(label)
            and dep not in arrows[layer_of(label)]
            and layer_of(dep) not in arrows[layer_of(label)]]


def closure(graph, label):
    """`label` and everything it depends on."""
    found, pending = set(), [label]
    while pending:
        current = pending.pop()
        if current not in found:
            found.add(current)
            pending += graph[current].deps if current in graph else []
    return found


def check_alone(graph, label, allowed_layers, code):
    """Whoever depends on `label` gets nothing but `allowed_layers`, and no threads."""
    wrong = []
    for dep in sorted(closure(graph, label)):
        if layer_of(dep) not in allowed_layers:
            wrong.append("%s brings in %s." % (label, dep))
        library = graph.get(dep, Library())
        if layer_of(dep)[0] != "@" and library.linkopts:
            wrong.append("%s links with %s." % (dep, " ".join(library.linkopts)))
        for file in library.headers + library.sources:
            wrong += ["%s starts threads: %s." % (file, word) for word in
                      re.findall(r"std::j?thread\b|std::async\b|pthread_create\b",
                                 code.get(file, ""))]
    return wrong


def read_code(files):
    """file -> its text without comments."""
    code = {}
    for file in files:
        with open(file, encoding="utf-8") as text:
            code[file] = re.sub(r"//.*", "", text.read())
    return code


def includes_in(text):
    """What is included, with its quotes or angle brackets."""
    return re.findall(r'^[ \t]*#[ \t]*include[ \t]*("[^"]+"|<[^>]+>)', text, re.MULTILINE)


def header_owners(graph):
    """What <filch/...> names: spelling -> label."""
    return {"filch/" + header: label for label, library in graph.items()
            if layer_of(label)[0] != "@" for header in library.headers}


def _why_not(graph, owners, label, file, spelling):
    """Why `file` of `label` may not include `spelling`, or None."""
    library, name = graph[label], spelling[1:-1]
    first = name.split("/")[0]
    if name in owners:
        if spelling[0] == "<":
            return "with angle brackets"
        if owners[name] != label and owners[name] not in library.deps:
            return "without depending on " + owners[name]
        return None
    if first in ("filch", "tests", "tools"):
        return "which no library of the layers has"
    if first == "absl":
        package = "@com_google_absl//" + os.path.dirname(name)
        if not any(dep.startswith(package + ":") for dep in library.deps):
            return "without depending on " + package
        return None
    if name == "hwloc.h" or first == "hwloc":
        return None if "@hwloc//:hwloc" in library.deps else "without depending on @hwloc"
    if first.startswith("mimalloc"):
        return "which is loaded and not linked with"
    if spelling[0] == "<":
        return "which is not the facade" if first in ("tbb", "oneapi") else None
    # The facade's headers name each other as they lie beside each other.
    for folder in (os.path.dirname(file), "tbb_compat/include"):
        if os.path.normpath(os.path.join(folder, name)) in library.headers:
            return None if layer_of(label) == "tbb_compat" else "by a path without filch/"
    return "which is no header of its own library"


def check_includes(graph, code):
    """Every include is of the own library or of one that it depends on directly."""
    owners = header_owners(graph)
    wrong = []
    for label, library in sorted(graph.items()):
        if layer_of(label)[0] == "@":
            continue
        for file in library.headers + library.sources:
            for spelling in includes_in(code[file]):
                reason = _why_not(graph, owners, label, file, spelling)
                if reason:
                    wrong.append("%s includes %s %s." % (file, spelling, reason))
    return wrong
