"""What the drivers share that build programs with Bazel and run them."""
import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile

from demo_runner import INTERRUPTING, Failure, Status

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def complain(sentence):
    print("filch: " + sentence, file=sys.stderr, flush=True)


def check_output(folder):
    """Made early: nobody wants to learn after a minute that it cannot be."""
    try:
        os.makedirs(folder, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise Failure("Nothing can be written to %s: %s." % (folder, problem.strerror)) from None


def install():
    if subprocess.run([os.path.join(ROOT, "tools/install_packages.sh")], check=False).returncode:
        if shutil.which("bazel") is None:
            raise Failure("Bazel is needed to build the programs.")
        complain("Going on with what is installed.")


def have_onetbb():
    return (shutil.which("pkg-config") is not None
            and subprocess.run(["pkg-config", "--exists", "tbb"], check=False).returncode == 0)


def build(package, status):
    """Builds the programs of the package.  Returns their folder, which may also hold
    programs that are no longer built, and the names of those that are."""
    flags = subprocess.run([os.path.join(ROOT, "tools/bazel_flags")], check=False, text=True,
                           stdout=subprocess.PIPE).stdout.split()
    command = ["bazel", "build", "--color=no", "--curses=no", *flags]
    if not have_onetbb():
        command.append("--build_tag_filters=-onetbb")
    command.append("//%s:all" % package)
    run_with_status(command, "building (the first time takes a minute)", status,
                    "The programs could not be built; the lines above are Bazel's.")
    folder = os.path.join(ask_bazel("info", "bazel-bin").strip(), package)
    labels = ask_bazel("query", "kind(cc_binary, //%s:all)" % package).split()
    return folder, [label.rpartition(":")[2] for label in labels]


def run_with_status(command, text, status, failure):
    """Shows `text` while the command runs.  If it fails, the end of what it said,
    and the sentence `failure`."""
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        running = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=subprocess.STDOUT)
        while True:
            try:
                failed = running.wait(timeout=0.5) != 0
                break
            except subprocess.TimeoutExpired:
                status.show(text)
        status.clear()
        if failed:
            log.seek(0)
            sys.stderr.write("".join(log.readlines()[-20:]))
            raise Failure(failure)


def ask_bazel(*question):
    answer = subprocess.run(["bazel", *question], cwd=ROOT, check=False, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if answer.returncode != 0:
        sys.stderr.write(answer.stderr)
        raise Failure("The programs were built, but Bazel does not tell which.")
    return answer.stdout


def processor():
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.machine()


def interrupt(signal_number, frame):
    """Lets everything that is under way be cleaned up."""
    raise KeyboardInterrupt


def drive(act, what):
    """The exit status of act(status), or of what stopped it, which a sentence tells.
    `what` is the subject of such a sentence."""
    for number in INTERRUPTING:
        signal.signal(number, interrupt)
    status = Status(sys.stderr)
    try:
        return act(status)
    except Failure as problem:
        exit_status, sentence = 1, str(problem)
    except OSError as problem:
        exit_status, sentence = 1, "%s could not go on: %s." % (what, problem)
    except KeyboardInterrupt:
        exit_status, sentence = 130, "Interrupted."
    status.clear()
    complain(sentence)
    return exit_status
