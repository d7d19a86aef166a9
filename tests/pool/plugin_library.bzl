"""plugin_library: a shared library that brings the scheduler along."""

load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

def _plugin_library_impl(ctx):
    toolchain = ctx.attr._cc_toolchain[cc_common.CcToolchainInfo]
    inputs = []
    for dep in ctx.attr.deps:
        for linked in dep[CcInfo].linking_context.linker_inputs.to_list():
            inputs.append(cc_common.create_linker_input(
                owner = linked.owner,
                libraries = depset(linked.libraries),
                # The system's static Abseil cannot become part of a shared library: its
                # thread-local variables are placed for an executable.
                user_link_flags = depset([
                    flag
                    for flag in linked.user_link_flags
                    if flag != "-Wl,-Bstatic"
                ]),
            ))
    linked = cc_common.link(
        name = ctx.label.name,
        actions = ctx.actions,
        feature_configuration = cc_common.configure_features(
            ctx = ctx,
            cc_toolchain = toolchain,
            requested_features = ctx.features,
            unsupported_features = ctx.disabled_features,
        ),
        cc_toolchain = toolchain,
        linking_contexts = [cc_common.create_linking_context(linker_inputs = depset(inputs, order = "topological"))],
        user_link_flags = ["-Wl,--version-script=" + ctx.file.version_script.path],
        additional_inputs = [ctx.file.version_script],
        output_type = "dynamic_library",
    )
    library = linked.library_to_link
    file = library.resolved_symlink_dynamic_library or library.dynamic_library
    return [DefaultInfo(files = depset([file]), runfiles = ctx.runfiles(files = [file]))]

plugin_library = rule(
    implementation = _plugin_library_impl,
    doc = """lib<name>.so of `deps` and all that they depend on.""",
    attrs = {
        "deps": attr.label_list(mandatory = True, providers = [CcInfo]),
        "version_script": attr.label(mandatory = True, allow_single_file = True),
        "_cc_toolchain": attr.label(default = Label("@bazel_tools//tools/cpp:current_cc_toolchain")),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
)
