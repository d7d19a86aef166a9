"""merged_library: a library with all that it needs, for use without Bazel."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

_ARCHIVE = """
set -euo pipefail
object=$1 archive=$2
shift 2
c++ -nostdlib -r -o "$object" -Wl,--force-group-allocation "$@"
# Inline variables are weak from now on: without groups, the program's copy and
# this one would be two definitions.
nm --defined-only "$object" | sed -n 's/^[^ ]* u //p' > "$object.inline"
objcopy --wildcard --localize-symbol='*absl*' "$object"
objcopy --weaken-symbols="$object.inline" "$object"
rm "$object.inline"
rm -f "$archive"
ar rcsD "$archive" "$object"
"""

def _link(ctx, mnemonic, outputs, own, others, flags, before, after, command):
    arguments = ctx.actions.args()
    arguments.add_all(outputs)
    arguments.add_all(before)
    arguments.add("-Wl,--whole-archive")
    arguments.add_all(own)
    arguments.add("-Wl,--no-whole-archive")
    arguments.add_all(after)
    arguments.add("-Wl,--start-group")
    arguments.add_all(others)
    arguments.add_all(flags)
    arguments.add("-Wl,--end-group")
    ctx.actions.run_shell(
        outputs = outputs,
        inputs = own + others,
        command = command,
        arguments = [arguments],
        mnemonic = mnemonic,
        use_default_shell_env = True,
    )

def _merged_library_impl(ctx):
    own, own_pic, others, others_pic = [], [], [], []
    abseil, system = {}, {}
    for dep in ctx.attr.deps:
        for linked in dep[CcInfo].linking_context.linker_inputs.to_list():
            here = linked.owner.workspace_name == ctx.label.workspace_name
            for library in linked.libraries:
                static = library.static_library or library.pic_static_library
                pic = library.pic_static_library or library.static_library
                (own if here else others).append(static)
                (own_pic if here else others_pic).append(pic)
            for flag in linked.user_link_flags:
                if flag.startswith("-labsl_"):
                    abseil[flag] = True
                elif flag.startswith("-l"):
                    system[flag] = True
    for dep in ctx.attr.shared_deps:
        for linked in dep[CcInfo].linking_context.linker_inputs.to_list():
            if linked.owner == dep.label:
                own_pic += [
                    library.pic_static_library or library.static_library
                    for library in linked.libraries
                ]
    object = ctx.actions.declare_file(ctx.label.name + ".o")
    archive = ctx.actions.declare_file("lib" + ctx.label.name + ".a")
    shared = ctx.actions.declare_file(ctx.attr.soname)
    _link(
        ctx,
        "MergeArchive",
        [object, archive],
        own,
        others,
        abseil.keys(),
        [],
        ["-Wl,-Bstatic"],
        _ARCHIVE,
    )

    # The system's static Abseil cannot become part of a shared library: its
    # thread-local variables are placed for an executable.  The library's functions call
    # each other directly: with a detour for each, on the chance that the program defines
    # one of its own, small calls take half as long again.
    _link(
        ctx,
        "MergeShared",
        [shared],
        own_pic,
        others_pic,
        abseil.keys() + system.keys(),
        ["-Wl,-soname," + ctx.attr.soname, "-Wl,-z,defs", "-Wl,-Bsymbolic-functions"],
        ["-Wl,--as-needed"] + [
            "-Wl,--exclude-libs," + library.basename
            for library in others_pic
        ],
        "c++ -shared -pthread -o \"$@\"",
    )
    files = depset([archive, shared])
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

merged_library = rule(
    implementation = _merged_library_impl,
    doc = """lib<name>.a and the shared library <soname> of everything in `deps`; in the
    shared one also what is in `shared_deps`, but not what that needs.""",
    attrs = {
        "deps": attr.label_list(providers = [CcInfo], mandatory = True),
        "shared_deps": attr.label_list(providers = [CcInfo]),
        "soname": attr.string(mandatory = True),
    },
)
