"""What every program that Relacy runs is compiled with, and its tags."""

load("//tests:cc_test.bzl", "UNSANITIZED")

MODEL_COPTS = [
    # Relacy replaces the plain operators new and delete, but not the sized
    # delete that C++14 would call.
    "-fno-sized-deallocation",
    # It switches threads by longjmp between stacks, which the fortified C
    # library takes for an error.
    "-U_FORTIFY_SOURCE",
    # Half the time to compile of -O2, and as fast to run.
    "-O1",
]

# Relacy's headers are parsed once for all models, and once for all mutants, which run so
# briefly that they are not optimised.  Both come with any_scenario.
MODEL_TEST_COPTS = MODEL_COPTS + [
    "-include",
    "tests/model/precompiled_relacy.h",
]
UNOPTIMISED_COPTS = MODEL_COPTS + ["-O0"]
MUTANT_COPTS = UNOPTIMISED_COPTS + [
    "-include",
    "tests/model/precompiled_relacy_unoptimised.h",
]

MODEL_TAGS = ["model"] + UNSANITIZED
