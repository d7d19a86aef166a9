"""Medians, limits, verdicts, differences and pictures of the benchmark matrix."""
import os
import sys
import unittest
import xml.etree.ElementTree

sys.path[:0] = [os.path.join(os.getcwd(), folder) for folder in ("tools", "tools/bench")]
# pylint: disable=wrong-import-position
import bench_page
import bench_report
import bench_rows

ROW = next(row for row in bench_rows.all_rows() if row.workload == "queens_group")


def runs(*values, answer="92"):
    return [{"answer": answer, "threads": 2, "metrics": {"ns": list(some)}} for some in values]


def measured(row=ROW, **by_runtime):
    return bench_report.Measured(row, 8, 2, {"serial": runs([8, 8, 8]), **by_runtime})


class BenchReportTest(unittest.TestCase):

    def test_median_is_of_the_runs_medians(self):
        some = measured(filch=runs([1, 2, 90], [3, 4, 5], [7, 8, 9]))
        self.assertEqual(some.median("filch"), 4)
        self.assertEqual(some.minimum("filch"), 1)
        self.assertIsNone(some.median("onetbb"))
        self.assertIsNone(some.ratio("filch", "onetbb"))

    def test_limit_is_the_better_of_threads_and_an_even_share(self):
        self.assertEqual(measured().limit(), 4)
        self.assertEqual(measured(threads=runs([3])).limit(), 3)
        self.assertEqual(measured(threads=runs([5])).limit(), 4)
        self.assertIsNone(measured(ROW._replace(perfect=False)).limit())
        self.assertIsNone(measured(ROW._replace(perfect=False, limited=False),
                                   threads=runs([3])).limit())

    def test_best_is_a_parallel_runtime(self):
        self.assertEqual(measured(threads=runs([1]), filch=runs([3]), rayon=runs([2])).best(),
                         "rayon")
        self.assertIsNone(measured().best())

    def test_slower_needs_the_median_and_most_rounds_and_more_than_noise(self):
        def slow(ours, theirs, row=ROW):
            return bench_report.slower_than_onetbb(
                measured(row, filch=runs(*([x] for x in ours)), onetbb=runs(*([x] for x in theirs))))
        self.assertEqual(slow([20, 21, 22, 23, 24], [10, 11, 12, 13, 14]), ["filch"])
        self.assertEqual(slow([9, 21, 22, 23, 24], [10, 11, 12, 13, 14]), ["filch"])
        self.assertEqual(slow([9, 10, 22, 23, 24], [10, 11, 12, 13, 14]), [])
        self.assertEqual(slow([11, 11, 11, 11, 20], [10, 10, 10, 10, 100]), ["filch"])
        self.assertEqual(slow([110, 11, 12, 13], [100, 10, 11, 90]), [])
        self.assertEqual(slow([10.2], [10]), [])
        self.assertEqual(slow([20], [10], ROW._replace(floor=15)), [])
        self.assertEqual(slow([20], [0]), [])
        self.assertEqual(bench_report.slower_than_onetbb(measured(filch=runs([20]))), [])

    def test_one_round_may_call_ours_slower(self):
        def may_be(*ours, theirs=([10], [10]), row=ROW):
            return bench_report.may_be_slower(
                measured(row, filch=runs(*ours), onetbb=runs(*theirs)))
        self.assertTrue(may_be([9], [20]))
        self.assertTrue(may_be([20], [9]))
        self.assertTrue(may_be([20], [20]))
        self.assertFalse(may_be([9], [10.2]))
        self.assertFalse(may_be([9], [20], row=ROW._replace(floor=15)))
        self.assertFalse(may_be([9], [20], theirs=([0], [0])))
        self.assertFalse(bench_report.may_be_slower(measured(filch=runs([9], [20]))))

    def test_a_wrong_answer_is_found(self):
        some = measured(filch=runs([1], [1]))
        self.assertEqual(some.wrong_answers(), [])
        some.runs["filch"][1]["answer"] = "93"
        self.assertEqual(some.wrong_answers(), [
            'queens, task group: filch answers "93", but the serial run "92".'])

    def test_block_and_summary(self):
        some = measured(filch=runs([5, 6, 7]), onetbb=runs([12]))
        self.assertEqual(bench_report.block(some).split("\n"), [
            "queens, task group (ns/node; 2 threads)",
            "          median   min  / oneTBB  / best  / limit",
            "  serial    8.00  8.00     0.67x   1.33x    2.00x",
            "  filch     6.00  5.00     0.50x   1.00x    1.50x",
            "  oneTBB    12.0  12.0     1.00x   2.00x    3.00x",
        ])
        self.assertEqual(bench_report.summary([some]).split("\n")[2].split(), [
            "queens,", "task", "group", "ns/node", "2", "8.00", "6.00", "-", "12.0", "oneTBB",
            "12.0", "0.50x", "-", "0.50x", "1.50x"])
        self.assertNotIn("SLOWER", bench_report.summary([some]))
        self.assertIn("SLOWER", bench_report.summary([measured(facade=runs([3]),
                                                               onetbb=runs([2]))]))

    def test_numbers_have_three_digits(self):
        self.assertEqual([bench_report.number(x) for x in (None, 0, 0.123, 1.234, 12.34, 1234.5)],
                         ["-", "0", "0.12", "1.23", "12.3", "1234"])

    def test_difference_names_what_only_one_has(self):
        before = bench_report.results([measured(filch=runs([5]))], {})
        after = bench_report.results([measured(ROW._replace(name="other"))], {})
        text = bench_report.difference(before, after)
        self.assertIn("only before: queens, task group (size 8, 2 threads)", text)
        self.assertIn("only after: other (size 8, 2 threads)", text)

    def test_difference_is_certain_if_the_minimum_agrees(self):
        def change(a, b):
            return bench_report.difference(
                *(bench_report.results([measured(filch=runs(v))], {}) for v in (a, b)))
        self.assertIn("faster", change([10, 11], [5, 6]))
        self.assertNotIn("faster", change([5, 11], [5, 6]))


class BenchRowsTest(unittest.TestCase):

    def test_names_are_unique(self):
        names = [row.name for row in bench_rows.all_rows()]
        self.assertEqual(len(set(names)), len(names))

    def test_select(self):
        rows = bench_rows.all_rows()
        self.assertEqual(bench_rows.select(rows, bench_rows.QUICK, None), rows)
        chosen = bench_rows.select(rows, bench_rows.QUICK, ["skynet", "spawn"])
        self.assertEqual([row.workload for row in chosen], ["skynet", "spawn"])
        with self.assertRaisesRegex(ValueError, "There is no workload nonsense"):
            bench_rows.select(rows, bench_rows.QUICK, ["nonsense"])

    def test_thread_counts(self):
        def counts(most):
            return [row.threads for row in bench_rows.at_thread_counts([ROW], most)]
        self.assertEqual(counts(1), [1])
        self.assertEqual(counts(2), [1, 2])
        self.assertEqual(counts(8), [1, 2, 4, 8])
        self.assertEqual(counts(12), [1, 2, 4, 8, 12])
        self.assertEqual(bench_rows.at_thread_counts([ROW._replace(scales=False)], 4), [])


class BenchPageTest(unittest.TestCase):

    def drawings(self, rows):
        header = {"date": "2026-01-01", "machine": "<any>", "processors": 2, "load": 0.5,
                  "rounds": 3}
        page = bench_page.page(bench_report.results(rows, header))
        self.assertIn("&lt;any&gt;", page)
        return [xml.etree.ElementTree.fromstring("<svg" + part.split("</svg>")[0] + "</svg>")
                for part in page.split("<svg")[1:]]

    def test_bars_begin_at_zero_and_are_proportional(self):
        svg, = self.drawings([measured(filch=runs([4]), onetbb=runs([16]))])
        bars = svg.findall("rect")
        self.assertEqual({bar.get("x") for bar in bars}, {str(bench_page.LEFT)})
        widths = [float(bar.get("width")) for bar in bars]
        self.assertAlmostEqual(widths[0] / widths[2], 0.5, places=2)
        self.assertAlmostEqual(widths[1] / widths[2], 0.25, places=2)

    def test_a_series_is_drawn_as_lines(self):
        rows = [measured(ROW._replace(name="loop %d" % x, series="loops", x=x, x_label="us"),
                         filch=runs([y])) for x, y in ((1, 2), (10, 20), (100, 200))]
        svg, = self.drawings(rows)
        self.assertEqual(len(svg.findall("polyline")), 2)
        self.assertIn("us (log)", [label.text for label in svg.findall("text")])

    def test_values_of_zero_can_be_drawn(self):
        self.assertEqual(len(self.drawings([measured(serial=runs([0]), filch=runs([0]))])), 1)
        self.assertEqual(len(self.drawings([measured(serial=None)])), 1)

    def test_axes_have_round_numbers(self):
        self.assertEqual(bench_page.ticks(4), [0, 1, 2, 3, 4])
        self.assertEqual(bench_page.ticks(10), [0, 2, 4, 6, 8, 10])
        self.assertEqual(bench_page.powers(0.9, 12), [0.5, 1, 2, 5, 10, 20])
        self.assertEqual(bench_page.powers(1, 10), [1, 2, 5, 10])


if __name__ == "__main__":
    unittest.main()
