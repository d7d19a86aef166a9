"""logic_mutant_test: puts an error back into a deque and expects a model to fail."""

load("//tests/model:mutant.bzl", "mutant_test")

def logic_mutant_test(name, stem, error, scenario, deps, copts, tags):
    """mutant_test for a deque.

    Args:
      name: ends in _mutant_test.
      stem: of the deque's header and of its scenarios.
      error: a sed script that makes it; one that changes nothing fails to build.
      scenario: the one that catches it.
      deps: what the deque's header includes.
      copts: as for the model tests.
      tags: as for the model tests.
    """
    mutant_test(
        name = name,
        copts = copts,
        error = error,
        header_deps = deps,
        layer = "deque",
        scenario = scenario,
        scenarios = [stem + "_scenarios.h"],
        stem = stem,
        tags = tags,
        deps = [
            ":deque_scenarios",
            ":model_kit",
        ],
    )
