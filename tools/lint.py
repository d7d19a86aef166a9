#!/usr/bin/env python3
"""Rules of the house that neither the compiler nor clang-format knows.

    tools/lint.py            checks every file that Git knows
    tools/lint.py FILE...    checks these, as if nothing else existed

Each rule is a function from {path: text} to sentences; CONTRIBUTING.md gives
the reasons.  The order of the rules is the order of the output.
"""
import os
import re
import subprocess
import sys

LAYERS = ("deque", "partitioner", "pool", "tbb_compat", "topology")
# Stems that say nothing about what is in the file.
EMPTY_STEMS = {"common", "detail", "impl", "misc", "util", "utils"}
# A comment that names edges, such as C3, begins with them.
EDGE = re.compile(r"// [A-Z]\d{1,2}(?:, [A-Z]\d{1,2})*(?:[:,;.]|$)")
ATOMIC_OPERATION = re.compile(
    r"(?:\.|->)(load|store|exchange|compare_exchange_weak|compare_exchange_strong|"
    r"fetch_(?:add|sub|and|or|xor)|test_and_set)\(")


def is_code(path):
    return path.endswith((".h", ".cc"))


def layer_of(path):
    first = path.split("/")[0]
    return first if first in LAYERS else None


def line_number(text, position):
    return text.count("\n", 0, position) + 1


def check_whitespace(files):
    for path, text in files.items():
        for number, line in enumerate(text.split("\n"), 1):
            if "\t" in line:
                yield "%s:%d: a tab." % (path, number)
            if line != line.rstrip():
                yield "%s:%d: spaces at the end of the line." % (path, number)
        if text and not text.endswith("\n"):
            yield "%s: the last line does not end." % path


def check_names(files):
    for path in files:
        stem = os.path.basename(path).split(".")[0]
        # The facade's headers are named as TBB's are.
        if is_code(path) and not path.startswith("tbb_compat/include/") and EMPTY_STEMS & {stem, *stem.split("_")[-1:]}:
            yield "%s: the name does not say what is in the file." % path
        if path == "tools/bazel":
            yield "%s: Bazel's launcher would run this in its own place." % path


def check_machine_paths(files):
    for path, text in files.items():
        for match in re.finditer(r"(?<![\w.$}/])/(?:home|mnt|root|tmp|work|workspace)/", text):
            yield "%s:%d: a path of one machine." % (path, line_number(text, match.start()))


def guard_of(path):
    path = re.sub(r"^tbb_compat/include/(oneapi/)?(tbb/)?", "tbb_compat/", path)
    return "FILCH_" + re.sub(r"\W", "_", path.replace("/_", "/")).upper() + "_"


def check_guards(files):
    for path, text in files.items():
        if not path.endswith(".h"):
            continue
        # Headers for C have the other comments.
        text = re.sub(r"^(#endif) /\* (.*) \*/$", r"\1  // \2", text, flags=re.MULTILINE)
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
        lines = [line for line in text.split("\n") if line and not line.startswith("//")]
        if all(line.startswith(("#include", "#error", "#ifdef __cplusplus")) or line == "#endif"
               for line in lines):
            continue  # passes something on, or refuses; may be read twice
        guard = guard_of(path)
        if lines[:2] != ["#ifndef " + guard, "#define " + guard]:
            yield "%s: the include guard is not %s." % (path, guard)
        elif lines[-1] != "#endif  // " + guard:
            yield "%s: the last line is not #endif  // %s." % (path, guard)


def check_includes(files):
    """Headers of the layers are reached as "filch/LAYER/...", in every folder."""
    for path, text in files.items():
        for match in re.finditer(r'^#include ["<](?:\.\./)*([^/">]*)/', text, re.MULTILINE):
            if is_code(path) and match[1] in LAYERS:
                yield '%s:%d: include "filch/%s/...".' % (
                    path, line_number(text, match.start()), match[1])


def without_comments(text):
    """The same text, comments blanked out, so that positions stay."""
    return re.sub(r"//[^\n]*", lambda match: " " * len(match[0]), text)


def arguments_at(code, position):
    """What stands between the parenthesis before `position` and its partner."""
    depth = 1
    for end in range(position, len(code)):
        depth += {"(": 1, ")": -1}.get(code[end], 0)
        if depth == 0:
            return code[position:end]
    return code[position:]


def statement_around(code, text, position):
    """The statement with its comments: from after the last ; { or } to the end of
    the line that it ends on, and the comment lines above it."""
    begin = max(code.rfind(end, 0, position) for end in ";{}") + 1
    end = min((found for found in (code.find(end, position) for end in ";{}") if found >= 0),
              default=len(code))
    line_end = text.find("\n", end)
    # What follows the statement before on its line belongs to that one.
    next_line = text.find("\n", begin)
    if 0 <= next_line < position and not code[begin:next_line].strip():
        begin = next_line
    return text[begin:line_end if line_end >= 0 else len(text)]


def check_memory_orders(files):
    """Every operation on an atomic names its order; if that orders anything, the
    statement names its edge.  (tests/edges holds the edges against the tables.)"""
    for path, text in files.items():
        if not is_code(path) or not layer_of(path):
            continue
        code = without_comments(text)
        for match in ATOMIC_OPERATION.finditer(code):
            where = "%s:%d: %s" % (path, line_number(text, match.start()), match[1])
            arguments = arguments_at(code, match.end())
            if "memory_order" not in arguments:
                yield where + " does not name its memory order."
            elif re.search(r"memory_order_(?!relaxed)", arguments) and not (
                    edge_comments_in(statement_around(code, text, match.start()))):
                yield where + " orders something and does not name its edge."
        for name in re.findall(r"(?<!<)\b(?:std::atomic|Atomic)<[^;]*?>\s+(\w+_)\b", code):
            for match in re.finditer(r"(?:\+\+|--)%s\b|\b%s\s*(?:\+\+|--|[-+|&^]?=(?!=))"
                                     % (name, name), code):
                yield "%s:%d: %s changes without a memory order." % (
                    path, line_number(text, match.start()), name)


def edge_comments_in(text):
    """The comments that name edges."""
    return [comment for comment in re.findall(r"//[^\n]*", text) if EDGE.match(comment)]


RULES = (check_whitespace, check_names, check_machine_paths, check_guards, check_includes,
         check_memory_orders)


def lint(files):
    return [sentence for rule in RULES for sentence in rule(files)]


def read(paths):
    """{path: text} of those that are text."""
    files = {}
    for path in paths:
        try:
            with open(path, encoding="utf-8") as text:
                files[path] = text.read()
        except (UnicodeDecodeError, FileNotFoundError, IsADirectoryError):
            pass  # a picture, or deleted and not yet committed
    return files


def main(arguments):
    if not arguments:
        os.chdir(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        arguments = subprocess.run(["git", "ls-files", "-z"], check=True, text=True,
                                   stdout=subprocess.PIPE).stdout.split("\0")[:-1]
    wrong = lint(read(arguments))
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
