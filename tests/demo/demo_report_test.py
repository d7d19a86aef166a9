"""Medians, wrong answers and the table of the demonstration."""
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.getcwd(), "tools"))
import demo_report  # pylint: disable=wrong-import-position


def runs(*seconds, answer="42", **more):
    return [{"seconds": s, "answer": answer, "threads": 2, **more} for s in seconds]


def row(serial=(1,), onetbb=(2,), filch=(0.5,), **more):
    return demo_report.Row("fib", {"serial": runs(*serial), "onetbb": onetbb and runs(*onetbb),
                                   "filch": filch and runs(*filch, **more)})


class DemoReportTest(unittest.TestCase):

    def test_median_of_odd_and_even_counts(self):
        self.assertEqual(row(serial=(3, 1, 2)).milliseconds("serial"), 2000)
        self.assertEqual(row(serial=(4, 1, 2, 9)).milliseconds("serial"), 3000)
        self.assertIsNone(row(onetbb=None).milliseconds("onetbb"))

    def test_ratio_is_of_medians(self):
        self.assertEqual(row().ratio("serial", "filch"), 2)
        self.assertEqual(row().ratio("onetbb", "filch"), 4)
        self.assertIsNone(row(onetbb=None).ratio("onetbb", "filch"))
        self.assertIsNone(row(filch=(0,)).ratio("serial", "filch"))

    def test_counters_are_medians_of_what_was_kept(self):
        some = row()
        self.assertIsNone(some.counter("tasks"))
        for number, stats in enumerate(({"tasks": 5}, {"tasks": 9}, {"tasks": 6}, {}, None)):
            some.runs["filch"].append({"seconds": number, "answer": "42"})
            if stats is not None:
                some.runs["filch"][-1]["stats"] = stats
        self.assertEqual(some.counter("tasks"), 6)
        self.assertIsNone(some.counter("steals"))

    def test_equal_answers_are_no_mismatch(self):
        self.assertEqual(demo_report.wrong_answers(row()), [])
        self.assertEqual(demo_report.wrong_answers(row(onetbb=None, filch=None)), [])

    def test_one_wrong_answer_of_many_is_found(self):
        some = row(filch=(1, 1, 1))
        some.runs["filch"][1]["answer"] = "43"
        self.assertEqual(demo_report.wrong_answers(some),
                         ['fib: filch answers "43", but the serial run "42".'])
        some.runs["onetbb"][0]["answer"] = "44"
        self.assertEqual(len(demo_report.wrong_answers(some)), 2)

    def test_a_serial_run_that_changes_its_mind_is_found(self):
        some = row(serial=(1, 1))
        some.runs["serial"][1]["answer"] = "43"
        self.assertEqual(demo_report.wrong_answers(some),
                         ['fib: a later serial run answers "43", but the serial run "42".'])

    def test_table(self):
        rows = [row(stats={"tasks": 12345, "steals": 6, "parks": 0}),
                demo_report.Row("absent", {"serial": runs(0.01), "onetbb": None, "filch": None})]
        self.assertEqual(demo_report.table(rows).split("\n"), [
            "program  serial ms      oneTBB ms   filch ms  serial/filch  oneTBB/filch  tasks"
            "  steals  parks",
            "-" * 94,
            "fib         1000.0         2000.0      500.0         2.00x         4.00x  12345"
            "       6      0",
            "absent        10.0  not installed  not built             -             -      -"
            "       -      -",
        ])

    def test_summary_names_what_was_found(self):
        details = {"directories": 1, "files": 2, "bytes": 3500000, "lines": 4, "words": 5,
                   "distinct_words": 6, "top": [{"word": "the", "count": 7},
                                                {"word": "\x1b" + "x" * 40, "count": 1}],
                   "notes": ["A note."]}
        self.assertEqual(demo_report.index_summary(details), [
            "1 directories, 2 text files, 3.5 MB, 4 lines, 5 words, 6 of them different",
            "top words: the 7, ?" + "x" * 26 + "... 1",
            "A note."])
        self.assertEqual(len(demo_report.index_summary({**details, "top": [], "notes": []})), 1)

    def test_results_hold_every_run(self):
        stats = {"tasks": 8, "steals": 1, "parks": 2, "workers": 2}
        result = demo_report.results([row(onetbb=None, filch=(1, 3), stats=stats)], {"rounds": 2})
        self.assertEqual(result["rounds"], 2)
        self.assertEqual(result["programs"], [{
            "name": "fib", "answer": "42", "correct": True, "serial_over_filch": 0.5,
            "onetbb_over_filch": None, "onetbb": None,
            "serial": {"median_ms": 1000, "seconds": [1], "threads": 2},
            "filch": {"median_ms": 2000, "seconds": [1, 3], "threads": 2, **stats}}])


if __name__ == "__main__":
    unittest.main()
