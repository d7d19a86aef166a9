"""What tools/test_summary.py counts, from events as Bazel writes them."""
import contextlib
import io
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, "tools")
import test_summary  # pylint: disable=wrong-import-position

SUITE = '<testsuites><testsuite name="S">%s</testsuite></testsuites>'
PASS = '<testcase name="%s" status="run" classname="S"/>'
FAIL = '<testcase name="%s" status="run" classname="S"><failure message="no"/></testcase>'
SKIP = '<testcase name="%s" status="run" result="skipped" classname="S"/>'
FINISHED = {"id": {"buildFinished": {}}, "finished": {"exitCode": {"name": "SUCCESS"}}}


class TestSummaryTest(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.files = 0

    def write(self, text):
        self.files += 1
        path = os.path.join(self.folder.name, str(self.files))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def result(self, label, status="PASSED", xml=None, **key):
        outputs = [{"name": "test.log", "uri": "file:///no/such/file"}]
        if xml is not None:
            outputs.append({"name": "test.xml", "uri": "file://" + self.write(xml)})
        return {"id": {"testResult": {"label": label, **key}},
                "testResult": {"status": status, "testActionOutput": outputs}}

    @staticmethod
    def completed(label, success):
        return {"id": {"targetCompleted": {"label": label}},
                "completed": {"success": True} if success else {}}

    def run_of(self, *events):
        return self.write("".join(json.dumps(event) + "\n" for event in events))

    def expect(self, passed, failed, *files):
        """What it prints, without the last line."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            status = test_summary.main(list(files))
        lines = output.getvalue().splitlines()
        self.assertEqual(lines[-1], "%d passed, %d failed" % (passed, failed))
        self.assertEqual(status, 1 if failed else 0)
        return lines[:-1]

    def test_cases_are_counted(self):
        xml = SUITE % (PASS % "A" + PASS % "B" + FAIL % "C" + SKIP % "D")
        said = self.expect(2, 1, self.run_of(self.result("//a:a", "FAILED", xml), FINISHED))
        self.assertEqual(said, ["FAILED //a:a S.C", "1 skipped"])

    def test_a_program_without_cases_is_one(self):
        self.expect(1, 0, self.run_of(self.result("//a:a"), FINISHED))
        self.expect(1, 0, self.run_of(self.result("//a:a", xml="not xml"), FINISHED))
        self.expect(0, 0, self.run_of(self.result("//a:a", xml=SUITE % ""), FINISHED))

    def test_crashes_and_time_outs_fail(self):
        for status in ("FAILED", "TIMEOUT"):
            said = self.expect(0, 1, self.run_of(self.result("//a:a", status), FINISHED))
            self.assertEqual(said, ["FAILED //a:a " + status.lower()])
        self.expect(1, 1, self.run_of(self.result("//a:a", "FAILED", SUITE % (PASS % "A")),
                                      FINISHED))

    def test_shards_add_up_and_attempts_do_not(self):
        xml = SUITE % (PASS % "A")
        self.expect(2, 0, self.run_of(self.result("//a:a", xml=xml, shard=1),
                                      self.result("//a:a", xml=xml, shard=2), FINISHED))
        self.expect(1, 0, self.run_of(self.result("//a:a", "FAILED", xml, attempt=1),
                                      self.result("//a:a", "PASSED", xml, attempt=2), FINISHED))

    def test_what_does_not_build_fails_once(self):
        said = self.expect(1, 1, self.run_of(
            self.result("//a:a"), self.completed("//a:a", True), self.completed("//b:b", False),
            {"id": {"testSummary": {"label": "//b:b"}},
             "testSummary": {"overallStatus": "NO_STATUS"}}, FINISHED))
        self.assertEqual(said, ["FAILED //b:b did not build"])
        self.expect(0, 1, self.run_of({"id": {"targetCompleted": {"label": "//b:b"}},
                                       "aborted": {"reason": "ANALYSIS_FAILURE"}}, FINISHED))

    def test_a_failed_test_is_not_also_a_failed_build(self):
        self.expect(0, 1, self.run_of(self.result("//a:a", "FAILED"),
                                      self.completed("//a:a", False), FINISHED))

    def test_a_run_that_does_not_finish_fails(self):
        for passed, broken in ((0, self.run_of()), (1, self.run_of(self.result("//a:a"))),
                               (0, "no/such/file"), (0, self.write('{"id": {"test'))):
            said = self.expect(passed, 1, broken)
            self.assertEqual(said, ["FAILED bazel: did not finish"])
        self.expect(0, 1, self.run_of({"id": {"buildFinished": {}}, "finished": {
            "exitCode": {"name": "PARSING_FAILURE"}}}))

    def test_runs_add_up_and_none_hides_another(self):
        good = self.run_of(self.result("//a:a"), FINISHED)
        bad = self.run_of(self.result("//b:b", "FAILED"), FINISHED)
        said = self.expect(2, 2, good, bad, good, "no/such/file")
        self.assertEqual(said, ["FAILED //b:b failed", "FAILED bazel: did not finish"])


if __name__ == "__main__":
    unittest.main()
