"""The source files of libraries and of everything they depend on here, as files for a test."""

_SourcesInfo = provider(fields = {"files": "depset of source files"})

def _collect_sources_impl(target, ctx):
    if target.label.workspace_name:
        return [_SourcesInfo(files = depset())]
    attributes = ctx.rule.attr
    return [_SourcesInfo(files = depset(
        [
            file
            for name in ["hdrs", "srcs", "textual_hdrs"]
            for file in getattr(ctx.rule.files, name, [])
        ],
        transitive = [dep[_SourcesInfo].files for dep in getattr(attributes, "deps", [])],
    ))]

_collect_sources = aspect(
    implementation = _collect_sources_impl,
    attr_aspects = ["deps"],
)

def _layer_sources_impl(ctx):
    files = depset(transitive = [library[_SourcesInfo].files for library in ctx.attr.libraries])
    return [DefaultInfo(files = files, runfiles = ctx.runfiles(transitive_files = files))]

layer_sources = rule(
    implementation = _layer_sources_impl,
    attrs = {
        "libraries": attr.label_list(aspects = [_collect_sources]),
    },
)
