"""Builds the runtimes that Bazel does not build here: libomp, rayon, ForkJoinPool.

Each needs a compiler of its own, and nobody has to have it.  What is missing is a
line of text, not an error.
"""
import glob
import os
import shutil
import subprocess

from demo_runner import Failure
from program_driver import ROOT, run_with_status

HERE = os.path.join(ROOT, "tools/bench")
# Where Debian's librust-*-dev packages put their sources.
CRATES = "/usr/share/cargo/registry"
PACKAGES = {
    "onetbb": ["libtbb-dev"],
    "libomp": ["clang-14", "libomp-14-dev"],
    "rayon": ["rustc", "cargo", "librust-rayon-dev"],
    "java": ["default-jdk-headless"],
}


def sources(pattern):
    return sorted(glob.glob(os.path.join(HERE, pattern)))


def newer(program, files):
    """Whether the program is there and newer than what it is made of."""
    return os.path.exists(program) and all(
        os.path.getmtime(file) <= os.path.getmtime(program) for file in files)


def build_libomp(folder, status):
    files = sources("*/openmp.cc") + [os.path.join(HERE, "harness/main.cc")] + [
        os.path.join(ROOT, "tools/demo_programs", name)
        for name in ("command_line.cc", "json_object.cc")]
    program = os.path.join(folder, "libomp")
    if not newer(program, files + sources("*/*.h")):
        # The options of bench_program.bzl.
        run_with_status(["clang++-14", "-O3", "-falign-loops=32", "-std=c++17", "-fopenmp",
                         "-I" + ROOT, *files, "-o", program], "building the programs for libomp", status,
                        "The programs for libomp could not be built.")


def build_rayon(folder, status):
    """With cargo, from the sources that Debian has installed."""
    project = os.path.join(folder, "rayon_project")
    os.makedirs(os.path.join(project, ".cargo"), exist_ok=True)
    write(os.path.join(project, "Cargo.toml"), """[package]
name = "rayon-bench"
version = "0.1.0"
edition = "2021"
[[bin]]
name = "rayon"
path = "%s/harness/rayon_main.rs"
[dependencies]
rayon = "1"
[profile.release]
panic = "unwind"
debug = false
""" % HERE)
    write(os.path.join(project, ".cargo/config.toml"), """[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "%s"
""" % CRATES)
    run_with_status(
        ["env", "-C", project, "cargo", "build", "--release", "--offline", "--quiet",
         "--target-dir", os.path.join(folder, "rayon_target")],
        "building the programs for rayon", status, "The programs for rayon could not be built.")
    shutil.copy2(os.path.join(folder, "rayon_target/release/rayon"), os.path.join(folder, "rayon"))


def build_java(folder, status):
    files = sources("*/*.java")
    classes = os.path.join(folder, "java_classes")
    program = os.path.join(folder, "java")
    if newer(program, files):
        return
    run_with_status(["javac", "-d", classes, *files], "building the programs for Java", status,
                    "The programs for Java could not be built.")
    write(program, "#!/bin/sh\nexec java -Xms64m -XX:+UseSerialGC -cp '%s' bench.Main \"$@\"\n"
          % classes)
    os.chmod(program, 0o755)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


BUILDERS = {
    "libomp": (build_libomp, lambda: shutil.which("clang++-14") and libomp_installed()),
    "rayon": (build_rayon, lambda: shutil.which("cargo") and glob.glob(CRATES + "/rayon-1*")),
    "java": (build_java, lambda: shutil.which("javac") and shutil.which("java")),
}


def libomp_installed():
    return glob.glob("/usr/lib/llvm-14/lib/libomp.so*")


def build_peers(folder, wanted, status, complain):
    """Builds the peers that can be built.  Returns {runtime: program}."""
    os.makedirs(folder, exist_ok=True)
    built = {}
    for runtime, (build, installed) in BUILDERS.items():
        if runtime not in wanted:
            continue
        if not installed():
            complain("%s is left out, for it is not installed (Debian: apt-get install %s)."
                     % (runtime, " ".join(PACKAGES[runtime])))
            continue
        try:
            build(folder, status)
            built[runtime] = os.path.join(folder, runtime)
        except (Failure, OSError) as problem:
            status.clear()
            complain("%s is left out: %s" % (runtime, problem))
    return built


def install_peers(complain):
    packages = [package for names in PACKAGES.values() for package in names]
    try:
        done = subprocess.run(["apt-get", "install", "-y", "--no-install-recommends", *packages],
                              check=False, stdout=subprocess.DEVNULL).returncode
    except OSError as problem:
        done = problem.strerror
    if done != 0:
        complain("The peers could not be installed; as root: apt-get install %s" % " ".join(packages))
