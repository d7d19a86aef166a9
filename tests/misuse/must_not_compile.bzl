"""must_not_compile_test: misuse that the compiler has to refuse."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _must_not_compile_test_impl(ctx):
    context = cc_common.merge_cc_infos(
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).compilation_context

    # Include directories as they are called in the runfiles.
    output = ctx.bin_dir.path + "/"
    directories = {}
    for directory in context.includes.to_list() + context.system_includes.to_list():
        if directory.startswith(output):
            directories["-I" + directory[len(output):]] = True
    script = ctx.actions.declare_file(ctx.label.name + ".sh")
    ctx.actions.write(
        output = script,
        is_executable = True,
        content = "#!/bin/bash\nexec {} {} {}\n".format(
            ctx.file._runner.short_path,
            ctx.file.src.short_path,
            " ".join(sorted(directories.keys())),
        ),
    )
    return [DefaultInfo(
        executable = script,
        runfiles = ctx.runfiles(
            files = [ctx.file.src, ctx.file._runner],
            transitive_files = context.headers,
        ),
    )]

must_not_compile_test = rule(
    implementation = _must_not_compile_test_impl,
    doc = """Compiles `src` once as it is, which must work, and once for each line
"// MISUSE n: text" in it with -DMISUSE=n, which must stop with an error that
contains the text.""",
    test = True,
    attrs = {
        "src": attr.label(mandatory = True, allow_single_file = [".cc"]),
        "deps": attr.label_list(providers = [CcInfo]),
        "_runner": attr.label(
            default = Label("//tests/misuse:must_not_compile.sh"),
            allow_single_file = True,
        ),
    },
)
