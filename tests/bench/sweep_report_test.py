"""Ratios, lists and differences of the sweep."""
import os
import sys
import unittest

sys.path[:0] = [os.path.join(os.getcwd(), folder) for folder in ("tools", "tools/bench/sweep")]
import sweep_report  # pylint: disable=wrong-import-position

HEADER = {"machine": "a machine", "threads": 2, "processors": 4, "rounds": 3, "pause": 50}


def run(**nanoseconds):
    return {"kind/" + row: (float(time), "1") for row, time in nanoseconds.items()}


def rows(**ratios):
    """Rows in which oneTBB takes a microsecond."""
    return {"kind/" + row: {"facade": 1000 * ratio, "onetbb": 1000}
            for row, ratio in ratios.items()}


def summary(of_rows):
    return sweep_report.summary({**HEADER, "rows": of_rows})


class SweepReportTest(unittest.TestCase):

    def test_what_counts_is_the_least_of_the_rounds(self):
        runs = {"facade": [run(a=5), run(a=3), run(a=4)], "onetbb": [run(a=8), run(a=9), run(a=7)]}
        self.assertEqual(sweep_report.least(runs), {"kind/a": {"facade": 3, "onetbb": 7}})

    def test_a_row_that_is_not_everywhere_is_left_out_and_named(self):
        runs = {"facade": [run(a=1, b=1)], "onetbb": [run(a=1)]}
        self.assertEqual(list(sweep_report.least(runs)), ["kind/a"])
        self.assertEqual(sweep_report.wrong_answers(runs),
                         ["kind/b: The answers differ: 1, nothing."])

    def test_answers_are_compared_across_rounds_and_runtimes(self):
        runs = {"facade": [run(a=1), run(a=1)], "onetbb": [run(a=1), {"kind/a": (1.0, "2")}]}
        self.assertEqual(sweep_report.wrong_answers(runs),
                         ["kind/a: The answers differ: 1, 2."])
        runs["onetbb"][1] = run(a=1)
        self.assertEqual(sweep_report.wrong_answers(runs), [])

    def test_the_mean_is_geometric(self):
        self.assertAlmostEqual(sweep_report.mean([0.5, 2]), 1)
        self.assertIn("2 rows, filch takes 1.000 of oneTBB's time", summary(rows(a=0.5, b=2)))

    def test_counts_what_is_above_each_step(self):
        text = summary(rows(a=1.05, b=1.15, c=1.3, d=1.7, e=3))
        self.assertTrue(text.endswith("4 above 1.1, 3 above 1.2, 2 above 1.5, 1 above 2.0"), text)

    def test_lists_slower_rows_the_worst_first(self):
        lines = summary(rows(a=1.05, b=1.15, c=3)).splitlines()
        begin = next(i for i, line in enumerate(lines) if line.startswith("slower"))
        self.assertEqual([line.split() for line in lines[begin + 1:begin + 3]],
                         [["kind/c", "3", "1", "3.00"], ["kind/b", "1.15", "1", "1.15"]])
        self.assertEqual(lines[begin + 3], "")

    def test_tells_each_kind_and_its_worst_row(self):
        some = {**rows(a=0.5, b=2), "other/c": {"facade": 900, "onetbb": 1000}}
        lines = [line.split() for line in summary(some).splitlines()]
        self.assertIn(["kind", "2", "1.00", "1", "2.00", "b"], lines)
        self.assertIn(["other", "1", "0.90", "0", "0.90", "c"], lines)

    def test_says_how_it_was_measured(self):
        self.assertTrue(summary(rows(a=1)).startswith(
            "a machine, 2 threads on 4 processors, the least of 3 rounds, pauses of 50 us\n"))

    def test_changes_are_those_of_ours_the_largest_first(self):
        some = rows(a=1, b=1, c=1)
        for row, before in (("a", 400), ("b", 990), ("c", 2000)):
            some["kind/" + row]["before"] = before
        text = summary(some)
        lines = [line.split() for line in text.splitlines()]
        begin = lines.index(["changed", "before", "us", "now", "us", "ratio"])
        self.assertEqual(lines[begin + 1:begin + 4],
                         [["kind/a", "0.4", "1", "2.50"], ["kind/c", "2", "1", "0.50"], []])
        self.assertIn("by kind: kind 1.08", text)
        self.assertNotIn("changed", summary(rows(a=1)))

    def test_not_all_changes_are_listed(self):
        most = sweep_report.MOST_CHANGED
        some = rows(**{"r%d" % i: 1 for i in range(3 * most)})
        for i, times in enumerate(some.values()):
            times["before"] = 100 + i if i < most + 5 else 5000 + i if i < 2 * most + 9 else 1000
        lines = [line for line in summary(some).splitlines() if line.startswith("kind/")]
        self.assertEqual(len(lines), 2 * most)
        self.assertTrue(lines[0].startswith("kind/r0 "))
        self.assertTrue(lines[-1].startswith("kind/r%d " % (2 * most + 8)))


if __name__ == "__main__":
    unittest.main()
