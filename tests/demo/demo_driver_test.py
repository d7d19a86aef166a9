"""tools/demo from its arguments to its exit status, with programs that are fakes."""
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

DEMO = os.path.abspath("tools/demo")
FAKE = os.path.abspath("tests/demo/fake_program.sh")


class DemoDriverTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.tree = self.path("tree")
        os.makedirs(self.tree)
        os.makedirs(self.path("bin"))
        self.install("onetbb", "filch")
        self.pretend_onetbb(True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def install(self, *runtimes):
        shutil.rmtree(self.path("programs"), ignore_errors=True)
        os.makedirs(self.path("programs"))
        for runtime in runtimes:
            for program in ("tree_index", "picture", "queens", "fib"):
                shutil.copy(FAKE, self.path("programs/%s_%s" % (program, runtime)))

    def pretend_onetbb(self, installed):
        with open(self.path("bin/pkg-config"), "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\nexit %d\n" % (not installed))
        os.chmod(self.path("bin/pkg-config"), 0o755)

    def start(self, *arguments, **environment):
        return subprocess.Popen(
            [DEMO, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"], **environment})

    def demo(self, *arguments, **environment):
        with self.start(*arguments, **environment) as running:
            stdout, stderr = running.communicate()
        return subprocess.CompletedProcess(running.args, running.returncode, stdout, stderr)

    def run_fakes(self, *arguments, **environment):
        return self.demo("--binaries", "programs", "--rounds", "1", *arguments, "tree",
                         **environment)

    def table_row(self, done, name):
        line = next(line for line in done.stdout.split("\n") if line.startswith(name))
        return re.split(r"  +", line.strip())

    def test_prints_a_table_and_leaves_the_results(self):
        done = self.run_fakes("--rounds", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.table_row(done, "picture"),
                         ["picture", "250.0", "250.0", "250.0", "1.00x", "1.00x", "7", "1", "2"])
        for text in ("2 threads, medians of 2 rounds", "n-queens 14", "fib 35, parallel_invoke",
                     "fib 35, task_group", "top words: fake 1", "filch-demo/picture.png",
                     "filch-demo/results.json", "Every parallel answer is the serial one."):
            self.assertIn(text, done.stdout)
        with open(self.path("filch-demo/results.json"), encoding="utf-8") as file:
            results = json.load(file)
        self.assertEqual(results["rounds"], 2)
        self.assertEqual(len(results["programs"]), 5)
        self.assertEqual(results["programs"][0]["filch"]["workers"], 2)
        self.assertEqual(results["programs"][0]["filch"]["seconds"], [0.25, 0.25])
        self.assertTrue(os.path.exists(self.path("filch-demo/picture.png")))

    def test_can_be_repeated_and_leaves_nothing_else(self):
        for _ in range(2):
            done = self.run_fakes("--output", "a/b", TMPDIR=self.path("bin"))
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(self.path("a/b"))), ["picture.png", "results.json"])
        self.assertEqual(os.listdir(self.path("bin")), ["pkg-config"])

    def test_a_wrong_answer_is_an_error(self):
        for runtime, label in (("filch", "filch"), ("onetbb", "oneTBB")):
            done = self.run_fakes(FAKE_WRONG=runtime)
            self.assertEqual(done.returncode, 1)
            self.assertIn('picture: %s answers "43", but the serial run "42".' % label, done.stderr)
            self.assertIn("The index also differs if a file changed meanwhile.", done.stderr)
            self.assertNotIn("Every parallel answer", done.stdout)
            with open(self.path("filch-demo/results.json"), encoding="utf-8") as file:
                self.assertFalse(json.load(file)["programs"][1]["correct"])

    def test_a_crash_is_a_sentence(self):
        done = self.run_fakes(FAKE_CRASH="filch")
        self.assertEqual(done.returncode, 1)
        self.assertIn("filch: tree index on filch ended with signal 11.", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_a_signal_ends_everything(self):
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.start("--binaries", "programs", "tree", FAKE_HANG="filch", FAKE_PIPE=pipe,
                            TMPDIR=self.path("bin")) as running:
                with open(pipe, encoding="utf-8") as lines:
                    child = int(lines.read())
                running.send_signal(number)
                _, stderr = running.communicate()
            self.assertEqual(running.returncode, 130)
            self.assertTrue(stderr.endswith("filch: Interrupted.\n"), stderr)
            with self.assertRaises(ProcessLookupError):
                os.kill(child, 0)
            self.assertEqual(os.listdir(self.path("bin")), ["pkg-config"])

    def test_goes_without_onetbb(self):
        for forget in (lambda: self.pretend_onetbb(False), lambda: self.install("filch")):
            self.install("onetbb", "filch")
            self.pretend_onetbb(True)
            forget()
            done = self.run_fakes()
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.table_row(done, "picture"), [
                "picture", "250.0", "not installed", "250.0", "1.00x", "-", "7", "1", "2"])

    def test_needs_some_program(self):
        self.install()
        done = self.run_fakes()
        self.assertEqual(done.returncode, 1)
        self.assertIn("filch: There are no programs in programs.\n", done.stderr)
        done = self.demo("--binaries", "gone", "tree")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file or directory", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_goes_on_with_the_directories_that_are_there(self):
        with open(self.path("file"), "w", encoding="utf-8"):
            pass
        done = self.run_fakes("gone", "file")
        self.assertEqual(done.returncode, 0)
        self.assertIn("filch: There is no directory gone.\n", done.stderr)
        self.assertIn("filch: file is a file, not a directory.\n", done.stderr)
        self.assertIn("index of tree\n", done.stdout)

    def test_without_any_directory_nothing_is_built(self):
        os.symlink("loop", self.path("loop"))
        done = self.demo("gone", "loop")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, (
            "filch: There is no directory gone.\n"
            "filch: The directory loop cannot be read: Too many levels of symbolic links.\n"
            "filch: No directory is left to index.\n"))

    def test_an_output_folder_that_cannot_be_is_a_sentence(self):
        done = self.demo("--output", "/dev/null/here", "tree")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, "filch: Nothing can be written to /dev/null/here: "
                                      "Not a directory.\n")

    def test_bad_arguments_exit_with_two(self):
        for arguments in (["--nonsense"], ["--rounds"], ["--rounds", "0"], ["--rounds", "x"],
                          ["--threads", "1025"], ["--out", "x"]):
            done = self.demo(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr.startswith("usage: tools/demo ["), done.stderr)

    def test_help_names_every_option(self):
        for option in ("--help", "-h"):
            done = self.demo(option)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for name in ("--output", "--rounds", "--threads", "--quick", "--binaries", "[DIR...]"):
                self.assertIn(name, done.stdout)


if __name__ == "__main__":
    unittest.main()
