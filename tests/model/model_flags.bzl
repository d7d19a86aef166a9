"""What every program that Relacy runs is compiled with, and its tags."""

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

MODEL_TAGS = [
    "model",
    "no_asan",
    "no_tsan",
    "no_ubsan",
]
