"""Every row of the sweep gives one answer, with any number of threads and any TBB.

usage: sweep_programs_test.py PROGRAM...
"""
import subprocess
import sys
import unittest

PROGRAMS = sys.argv[1:]
# Together they are compared; what one of them does is its own test's.
THREADS = ("1", "2", "5") if len(PROGRAMS) == 1 else ("2",)


def run(program, *arguments):
    return subprocess.run([program, *arguments], text=True, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


class SweepProgramsTest(unittest.TestCase):

    def output(self, *command):
        done = run(*command)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_every_row_gives_the_same_answer(self):
        expected = None
        for program in PROGRAMS:
            names = self.output(program, "--list")
            self.assertGreater(len(names), 2000)
            self.assertEqual(len(set(names)), len(names))
            for threads in THREADS:
                with self.subTest(program=program, threads=threads):
                    lines = [line.split("\t") for line in self.output(
                        program, "--threads", threads, "--microseconds", "0")]
                    answers = {name: answer for name, _, answer in lines}
                    self.assertEqual(list(answers), names)
                    self.assertGreater(min(float(time) for _, time, _ in lines), 0)
                    expected = expected or answers
                    self.assertEqual(answers, expected)

    def test_a_beginning_chooses_rows(self):
        for program in PROGRAMS:
            self.assertEqual(self.output(program, "--list", "invoke/2x0", "scan/3x50"),
                             ["scan/3x50", "invoke/2x0.1", "invoke/2x0.3"])

    def test_bad_arguments_exit_with_two(self):
        for program in PROGRAMS:
            for arguments in (["--threads", "0"], ["--nonsense"], ["no_such_row"],
                              ["--list", "can"]):
                with self.subTest(program=program, arguments=arguments):
                    done = run(program, *arguments)
                    self.assertEqual((done.returncode, done.stdout), (2, ""))
                    self.assertNotEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
