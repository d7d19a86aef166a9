"""Every workload of one runtime gives the serial answer, in its smallest size.

usage: programs_test.py RUNTIME
"""
import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.getcwd(), "tools/bench"))
import bench_rows  # pylint: disable=wrong-import-position

RUNTIME = sys.argv[1]


def run(program, *arguments):
    # The limit turns a program that hangs into a failure with a name.
    return subprocess.run([os.path.join("tools/bench", program), *arguments], text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, check=False)


def workloads(program):
    return run(program, "--list").stdout.split()


class ProgramsTest(unittest.TestCase):

    def result(self, program, *arguments):
        done = run(program, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_every_row_gives_the_serial_answer(self):
        offered = workloads(RUNTIME)
        self.assertTrue(offered)
        done = set()
        for row in bench_rows.all_rows():
            key = row.workload, row.sizes[bench_rows.SMOKE]
            if row.workload not in offered or (*key, row.metric) in done:
                continue
            done.add((*key, row.metric))
            with self.subTest(row=row.name):
                command = ["--size", str(key[1]), "--repeat", "1", row.workload]
                expected = self.result("serial", *command)
                for threads in ("1", "2"):
                    result = self.result(RUNTIME, "--threads", threads, *command)
                    self.assertEqual(result["answer"], expected["answer"])
                    self.assertEqual(result["threads"], int(threads))
                    self.assertEqual(result["runtime"], RUNTIME)
                    values = result["metrics"][row.metric]
                    self.assertTrue(values)
                    self.assertGreaterEqual(min(values), 0)

    def test_every_workload_has_a_row(self):
        rows = {row.workload for row in bench_rows.all_rows()}
        self.assertEqual(set(workloads(RUNTIME)) - rows, set())

    def test_there_is_a_serial_form_of_everything(self):
        self.assertEqual(set(workloads(RUNTIME)) - set(workloads("serial")), set())

    def test_bad_arguments_exit_with_two_and_a_usage_line(self):
        for arguments in ([], ["nonsense"], ["fib_join", "skynet"], ["--size", "x", "fib_join"],
                          ["--threads", "0", "fib_join"], ["--nonsense"]):
            with self.subTest(arguments=arguments):
                done = run(RUNTIME, *arguments)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("\nusage: %s [" % RUNTIME, done.stderr)

    def test_a_result_that_cannot_be_written_is_an_error(self):
        workload = workloads(RUNTIME)[0]
        done = run(RUNTIME, "--json", "/dev/null/result.json", workload)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot be written to /dev/null/result.json", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
