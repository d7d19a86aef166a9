"""tools/bench/sweep/run from its arguments to its exit status, with programs that are fakes."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

RUN = os.path.abspath("tools/bench/sweep/run")
DRIVER = os.path.abspath("tools/bench/sweep/sweep_driver.py")
FAKE = os.path.abspath("tests/bench/fake_sweep.sh")


class SweepDriverTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(self.path("programs"))
        for runtime in ("facade", "onetbb", "older"):
            shutil.copy(FAKE, self.path("programs/" + runtime))

    def path(self, name):
        return os.path.join(self.folder, name)

    def sweep(self, *arguments, **environment):
        return subprocess.run([RUN, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env={**os.environ, **environment}, check=False)

    def run_fakes(self, *arguments, **environment):
        return self.sweep("--binaries", "programs", "--rounds", "2", *arguments, **environment)

    def rows(self):
        with open(self.path("filch-sweep.json"), encoding="utf-8") as file:
            return json.load(file)["rows"]

    def test_compares_every_row_and_leaves_the_result(self):
        done = self.run_fakes(FAKE_SLOW="onetbb")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("3 rows, filch takes 0.340 of oneTBB's time", done.stdout)
        self.assertIn("filch-sweep.json", done.stdout)
        self.assertNotIn("slower", done.stdout)
        self.assertEqual(self.rows(), {
            "for/2x1": {"facade": 1000, "onetbb": 3000},
            "for/3x1": {"facade": 1100, "onetbb": 3100},
            "for_each/2x1": {"facade": 1000, "onetbb": 3000},
        })

    def test_lists_what_is_slower(self):
        done = self.run_fakes(FAKE_SLOW="facade")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"for_each/2x1 +3 +1 +3\.00\n")

    def test_runs_only_what_was_asked_for(self):
        self.assertEqual(self.run_fakes("for/3").returncode, 0)
        self.assertEqual(list(self.rows()), ["for/3x1"])

    def test_compares_with_a_program_of_before(self):
        done = self.run_fakes("--before", "programs/older", FAKE_SLOW="older")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("all: 0.340 of the time before", done.stdout)
        self.assertRegex(done.stdout, r"for/3x1 +3\.1 +1\.1 +0\.35\n")

    def test_wrong_answers_are_failures(self):
        for variable in ("FAKE_WRONG", "FAKE_SHORT"):
            with self.subTest(variable=variable):
                done = self.run_fakes(**{variable: "onetbb"})
                self.assertEqual(done.returncode, 1)
                self.assertIn("filch: for/3x1: The answers differ: ", done.stderr)

    def test_a_row_that_no_other_program_has_is_a_failure(self):
        done = self.run_fakes("for/3", FAKE_SHORT="onetbb")
        self.assertEqual(done.returncode, 1)
        self.assertIn("filch: for/3x1: The answers differ: 1f, nothing.", done.stderr)
        self.assertIn("There is no row of such a name that all programs have.", done.stderr)

    def test_a_program_of_before_may_have_fewer_kinds(self):
        done = self.run_fakes("--before", "programs/older", FAKE_NO_FOR="older")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(list(self.rows()), ["for_each/2x1"])

    def test_a_name_that_no_row_has_is_a_failure(self):
        done = self.run_fakes("nonsense")
        self.assertEqual(done.returncode, 1)
        self.assertIn("There is no row of such a name", done.stderr)

    def test_a_crash_is_a_failure(self):
        done = self.run_fakes(FAKE_CRASH="onetbb")
        self.assertEqual(done.returncode, 1)
        self.assertIn("onetbb ended with status -11 after 0 rows.", done.stderr)
        self.assertFalse(os.path.exists(self.path("filch-sweep.json")))

    def test_a_file_that_cannot_be_written_is_an_error_at_once(self):
        for output, sentence in (("/dev/null/sweep.json", "Nothing can be written to /dev/null: "),
                                 (".", ". is a folder.")):
            with self.subTest(output=output):
                done = self.run_fakes("--output", output, FAKE_CRASH="facade")
                self.assertEqual(done.returncode, 1)
                self.assertIn("filch: " + sentence, done.stderr)
                self.assertNotIn("ended with status", done.stderr)

    def test_a_missing_program_is_an_error(self):
        os.remove(self.path("programs/onetbb"))
        done = self.run_fakes()
        self.assertEqual(done.returncode, 1)
        self.assertIn("could not go on", done.stderr)

    def test_bad_arguments_exit_with_two(self):
        for arguments in (["--rounds", "0"], ["--threads", "x"], ["--nonsense"],
                          ["--pause", "-1"]):
            with self.subTest(arguments=arguments):
                done = self.sweep(*arguments)
                self.assertEqual(done.returncode, 2)
                self.assertIn("usage: tools/bench/sweep/run [", done.stderr)

    def test_help_names_every_option(self):
        done = self.sweep("--help")
        self.assertEqual(done.returncode, 0)
        with open(DRIVER, encoding="utf-8") as source:
            options = re.findall(r'add_argument\("(--[a-z]+)"', source.read())
        self.assertGreater(len(options), 5)
        for option in options:
            self.assertRegex(done.stdout, "(?m)^ *%s [A-Z]+ " % option)


if __name__ == "__main__":
    unittest.main()
