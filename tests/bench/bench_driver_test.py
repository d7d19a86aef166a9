"""tools/bench/run from its arguments to its exit status, with programs that are fakes."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

RUN = os.path.abspath("tools/bench/run")
FAKE = os.path.abspath("tests/bench/fake_program.sh")


class BenchDriverTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.install("serial", "filch", "facade", "onetbb", "java")

    def path(self, name):
        return os.path.join(self.folder, name)

    def install(self, *runtimes):
        shutil.rmtree(self.path("programs"), ignore_errors=True)
        os.makedirs(self.path("programs"))
        for runtime in runtimes:
            shutil.copy(FAKE, self.path("programs/" + runtime))

    def bench(self, *arguments, **environment):
        return subprocess.run([RUN, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **environment}, check=False)

    def run_fakes(self, *arguments, **environment):
        return self.bench("--binaries", "programs", "--rounds", "2", "--threads", "2", *arguments,
                          **environment)

    def results(self):
        with open(self.path("filch-bench/results.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_prints_tables_and_leaves_the_results(self):
        done = self.run_fakes("--only", "fib_join,fib_group", FAKE_SLOW="onetbb")
        self.assertEqual(done.returncode, 0, done.stderr)
        for text in ("fib, two-way fork (ns/task; 2 threads)", "medians of 2 rounds",
                     "filch-bench/results.json", "filch-bench/results.html",
                     "Every answer is the serial one."):
            self.assertIn(text, done.stdout)
        self.assertNotIn("Slower", done.stdout)
        result = self.results()
        self.assertEqual(result["versions"]["onetbb"], "7")
        self.assertEqual([row["name"] for row in result["rows"]], [
            "fib, two-way fork, 1 thread", "fib, two-way fork", "fib, task group, 1 thread",
            "fib, task group", "memory of fib"])
        row = result["rows"][1]
        self.assertEqual((row["answer"], row["correct"], row["threads"]), ("32", True, 2))
        self.assertEqual(row["runtimes"]["filch"]["values"], [10, 10, 11] * 2)
        self.assertEqual(row["runtimes"]["filch"]["over_onetbb"], 0.5)
        self.assertNotIn("java", result["rows"][3]["runtimes"])
        self.assertEqual(result["rows"][4]["runtimes"]["facade"]["median"], 2000)
        with open(self.path("filch-bench/results.html"), encoding="utf-8") as page:
            self.assertIn("<svg", page.read())

    def test_names_what_is_slower_than_onetbb(self):
        done = self.run_fakes("--only", "fib_group", FAKE_SLOW="facade")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Slower than oneTBB: fib, task group, 1 thread; fib, task group.",
                      done.stdout)
        # Two rounds, as many again, and twice as many once more.
        self.assertEqual([len(row["runtimes"]["facade"]["values"])
                          for row in self.results()["rows"]], [24, 24])

    def test_runs_again_what_a_round_calls_slower(self):
        done = self.run_fakes("--only", "fib_join,fib_group", FAKE_SLOW_ONCE="facade")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("Slower", done.stdout)
        values = {row["name"]: len(row["runtimes"]["onetbb"]["values"])
                  for row in self.results()["rows"]}
        self.assertEqual(values, {"fib, two-way fork, 1 thread": 12, "fib, two-way fork": 6,
                                  "fib, task group, 1 thread": 6, "fib, task group": 6,
                                  "memory of fib": 2})

    def test_a_wrong_answer_is_an_error(self):
        done = self.run_fakes("--quick", "--only", "fib_group", FAKE_WRONG="filch")
        self.assertEqual(done.returncode, 1)
        self.assertIn('fib, task group, 1 thread: filch answers "wrong", but the serial run "25".',
                      done.stderr)
        self.assertNotIn("Every answer", done.stdout)
        self.assertFalse(self.results()["rows"][0]["correct"])

    def test_a_crash_is_a_sentence(self):
        done = self.run_fakes("--only", "fib_join", FAKE_CRASH="facade")
        self.assertEqual(done.returncode, 1)
        self.assertIn("1 thread on filch as TBB ended with signal 11.", done.stderr)
        self.assertNotIn("Traceback", done.stderr)

    def test_goes_without_onetbb_but_not_without_serial(self):
        self.install("serial", "filch")
        done = self.run_fakes("--only", "fib_group")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("onetbb is left out", done.stderr)
        self.install("filch")
        done = self.run_fakes("--only", "fib_group")
        self.assertEqual(done.returncode, 1)
        self.assertIn("There is no serial program", done.stderr)

    def test_scaling_runs_every_count(self):
        done = self.run_fakes("--scaling", "--only", "fib_join", "--threads", "6", "--runtimes",
                              "filch")
        self.assertEqual(done.returncode, 0, done.stderr)
        result = self.results()
        self.assertEqual([row["threads"] for row in result["rows"]], [1, 2, 4, 6])
        self.assertEqual(set(result["rows"][0]["runtimes"]), {"serial", "filch"})

    def test_shows_the_difference_of_two_results(self):
        self.run_fakes("--only", "fib_group", "--output", "before")
        self.run_fakes("--only", "fib_group", "--output", "after", FAKE_SLOW="filch")
        done = self.bench("--diff", "before/results.json", "after/results.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        first = done.stdout.split("\n")[1]
        self.assertRegex(first, r"^fib, task group +2 +filch +10\.0 +20\.0 +2\.00x +slower$")
        done = self.bench("--diff", "before/results.json", "gone.json")
        self.assertEqual(done.returncode, 1)
        self.assertIn("gone.json cannot be read", done.stderr)
        with open(self.path("list.json"), "w", encoding="utf-8") as file:
            file.write("[]")
        done = self.bench("--diff", "list.json", "list.json")
        self.assertIn("list.json is no result of tools/bench/run.", done.stderr)

    def test_bad_arguments_exit_with_two(self):
        for arguments in (["--only", "nonsense"], ["--threads", "0"], ["--runtimes", "nonsense"],
                          ["--rounds", "x"], ["--quick", "--long"], ["--nonsense"], ["extra"]):
            with self.subTest(arguments=arguments):
                done = self.bench(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("usage: tools/bench/run", done.stderr)

    def test_help_and_list(self):
        self.assertIn("--diff A.json B.json", self.bench("--help").stdout)
        self.assertIn("fib_join             fib, two-way fork\n", self.bench("--list").stdout)

    def test_an_output_that_cannot_be_written_is_a_sentence(self):
        done = self.run_fakes("--output", "/dev/null/bench")
        self.assertEqual(done.returncode, 1)
        self.assertIn("filch: Nothing can be written to /dev/null/bench", done.stderr)


if __name__ == "__main__":
    unittest.main()
