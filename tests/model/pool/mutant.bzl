"""part_mutant_test: puts an error back into a part of the pool and expects a model to fail."""

load("//tests/model:mutant.bzl", "mutant_test")

def part_mutant_test(name, stem, part_deps, error, scenario, deps, copts, tags, scenarios = ["pool_scenarios.h", "pool_model.h"]):
    """mutant_test for a part of the pool.

    Args:
      name: ends in _mutant_test.
      stem: of the part's header.
      part_deps: what the header includes.
      error: a sed script that makes it; one that changes nothing fails to build.
      scenario: the one that catches it.
      deps: what the scenarios include, but for the part.
      copts: as for the model tests.
      tags: as for the model tests.
      scenarios: the header that has the scenario, and the others that it includes.
    """
    mutant_test(
        name = name,
        copts = copts,
        error = error,
        header_deps = part_deps,
        layer = "pool",
        scenario = scenario,
        scenarios = scenarios,
        stem = stem,
        tags = tags,
        deps = deps,
    )
