"""Running one program, and the status line of the demonstration."""
import io
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.getcwd(), "tools"))
import demo_runner  # pylint: disable=wrong-import-position

GOOD = 'echo \'{"seconds": 1, "answer": "42", "threads": 2}\' > "$2"'


class DemoRunnerTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.screen = io.StringIO()
        self.status = demo_runner.Status(self.screen)

    def run_script(self, script):
        path = os.path.join(self.folder, "program")
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/bash\n%s\n" % script)
        os.chmod(path, 0o755)
        return demo_runner.run_program([path, "argument"], "a job", self.folder, self.status)

    def failure_of(self, script):
        with self.assertRaises(demo_runner.Failure) as raised:
            self.run_script(script)
        return str(raised.exception)

    def test_returns_what_the_program_reports(self):
        self.assertEqual(self.run_script(GOOD), {"seconds": 1, "answer": "42", "threads": 2})

    def test_adds_the_counters_that_the_scheduler_wrote(self):
        result = self.run_script(GOOD + '\necho \'{"tasks": 3}\' > "$FILCH_STATS"')
        self.assertEqual(result["stats"], {"tasks": 3})
        # Neither those of the run before nor half a file.
        self.assertNotIn("stats", self.run_script(GOOD))
        self.assertNotIn("stats", self.run_script(GOOD + '\necho \'{"tasks"\' > "$FILCH_STATS"'))

    def test_says_how_a_program_failed(self):
        self.assertEqual(self.failure_of("echo first >&2; echo 'p: It broke.' >&2; exit 3"),
                         "a job ended with status 3: p: It broke.")
        self.assertEqual(self.failure_of("echo 'p: 1 of 2 files (50 %)' >&2; exit 1"),
                         "a job ended with status 1.")
        self.assertEqual(self.failure_of("kill -SEGV $$"), "a job ended with signal 11.")

    def test_says_that_there_is_no_result(self):
        for script in ("true", 'echo nonsense > "$2"', 'echo "[1]" > "$2"', 'echo "{}" > "$2"'):
            self.assertEqual(self.failure_of(script), "a job reported no result.")

    def test_an_old_result_is_not_taken_for_a_new_one(self):
        self.run_script(GOOD)
        self.assertEqual(self.failure_of("true"), "a job reported no result.")

    def test_understands_the_progress_lines_of_the_programs(self):
        self.assertEqual(demo_runner.progress_of("picture: 5 of 20 rows (25 %)\n"), "25 %")
        self.assertEqual(demo_runner.progress_of("fib: computing, 3 s\n"), "computing, 3 s")
        for line in ("tree_index: There is no text to index.\n", "\n", "fib: 3 of\n"):
            self.assertIsNone(demo_runner.progress_of(line))

    def test_status_prints_few_lines_without_a_terminal(self):
        self.status.label = "round 1 of 5"
        for _ in range(100):
            self.status.show("picture")
        self.status.clear()
        self.assertRegex(self.screen.getvalue(), r"\Afilch: round 1 of 5, picture \(\d+ s in all\)\n")
        self.assertLess(self.screen.getvalue().count("\n"), 100)

    def test_status_overwrites_its_line_on_a_terminal(self):
        self.screen.isatty = lambda: True
        status = demo_runner.Status(self.screen)
        status.show("x" * 200)
        status.clear()
        status.clear()
        self.assertNotIn("\n", self.screen.getvalue())
        self.assertNotIn("x" * 80, self.screen.getvalue())  # would wrap around
        self.assertEqual(self.screen.getvalue().count("\r\x1b[K"), 2)


if __name__ == "__main__":
    unittest.main()
