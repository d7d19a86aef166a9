"""precompiled_header: headers that many tests include, parsed once for all of them."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _precompiled_header_impl(ctx):
    toolchain = ctx.attr._cc_toolchain[cc_common.CcToolchainInfo]
    context = cc_common.merge_cc_infos(
        cc_infos = [dep[CcInfo] for dep in ctx.attr.deps],
    ).compilation_context
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    ctx.actions.write(header, "".join(["#include %s\n" % include for include in ctx.attr.includes]))
    files = [header]

    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    compiler = cc_common.get_tool_for_action(
        feature_configuration = features,
        action_name = "c++-compile",
    )

    # clang refuses to go on with a precompiled header that is older than its source.
    if "gcc" in compiler.split("/")[-1]:
        precompiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
        variables = cc_common.create_compile_variables(
            cc_toolchain = toolchain,
            feature_configuration = features,
            source_file = header.path,
            output_file = precompiled.path,
            user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts +
                                 ctx.attr.copts + ["-x", "c++-header"],
            include_directories = context.includes,
            quote_include_directories = context.quote_includes,
            system_include_directories = context.system_includes,
            preprocessor_defines = context.defines,
            use_pic = False,
        )
        ctx.actions.run(
            executable = compiler,
            arguments = cc_common.get_memory_inefficient_command_line(
                feature_configuration = features,
                action_name = "c++-compile",
                variables = variables,
            ),
            env = cc_common.get_environment_variables(
                feature_configuration = features,
                action_name = "c++-compile",
                variables = variables,
            ),
            inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
            outputs = [precompiled],
            mnemonic = "CppPrecompile",
        )
        files.append(precompiled)
    return [CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset(files),
        quote_includes = depset([ctx.bin_dir.path]),
    ))]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    doc = """<name>.h and, for gcc, what gcc makes of it.

gcc uses that by itself where <name>.h comes first and the flags are the same.  Where
they are not, nothing is lost but time.""",
    attrs = {
        "copts": attr.string_list(doc = "what tests are compiled with beyond the command line's"),
        "deps": attr.label_list(mandatory = True, providers = [CcInfo]),
        "includes": attr.string_list(
            mandatory = True,
            doc = "what <name>.h includes, with quotes or brackets",
        ),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
