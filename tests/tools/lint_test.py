"""Each rule of tools/lint.py finds what it is for, and leaves the rest alone."""
import sys
import unittest

sys.path.insert(0, "tools")
import lint  # pylint: disable=wrong-import-position


def header(path, body):
    guard = lint.guard_of(path)
    return "// X: a thing.\n#ifndef %s\n#define %s\n\n%s\n#endif  // %s\n" % (
        guard, guard, body, guard)


class LintTest(unittest.TestCase):

    def expect(self, files, *words):
        """One sentence for each of `words`, which it contains."""
        sentences = lint.lint(files)
        self.assertEqual(len(sentences), len(words), sentences)
        for sentence, word in zip(sentences, words):
            self.assertIn(word, sentence)

    def expect_code(self, body, *words):
        self.expect({"deque/x.h": header("deque/x.h", body)}, *words)

    def test_whitespace(self):
        self.expect({"a.sh": "true\n\nfalse\n"})
        self.expect({"a.sh": "a\tb\n"}, "a.sh:1: a tab")
        self.expect({"a.md": "a\nb \n"}, "a.md:2: spaces")
        self.expect({"a.md": "a"}, "a.md: the last line")

    def test_names(self):
        for path in ("pool/utils.h", "tools/misc.cc", "pool/task_impl.h", "tests/common.cc"):
            self.expect({path: header(path, "") if path.endswith(".h") else ""}, path)
        self.expect({"pool/implicit_task.cc": ""})
        self.expect({"tools/bazel": ""}, "tools/bazel")

    def test_paths_of_one_machine(self):
        self.expect({"a.sh": "cd /" + "home/me/filch\n"}, "a.sh:1: a path")
        self.expect({"a.sh": 'cd "/' + 'work/filch"\n'}, "a.sh:1: a path")
        self.expect({"a.sh": "ls /usr/include $HOME/work/x tests/work/x\n"})

    def test_guards(self):
        self.expect({"pool/x.h": header("pool/x.h", "int x;\n")})
        self.expect({"pool/x.h": header("pool/y.h", "int x;\n")}, "FILCH_POOL_X_H_")
        self.expect({"pool/x.h": header("pool/x.h", "").replace("#endif  //", "#endif  ///")},
                    "the last line is not #endif")
        self.expect({"tbb_compat/include/tbb/x.h": '// Why.\n#include "../oneapi/tbb/x.h"\n'})
        for_c = header("pool/x.h", "/* Why:\n * so. */\nint x;\n").replace(
            "#endif  // FILCH_POOL_X_H_", "#endif /* FILCH_POOL_X_H_ */")
        self.expect({"pool/x.h": "/* What. */\n" + for_c})
        self.expect({"pool/y.h": "/* What. */\n" + for_c}, "FILCH_POOL_Y_H_")
        self.expect({"tbb_compat/include/tbb/x.h": '/* Why. */\n#ifdef __cplusplus\n'
                     '#include "y.h"\n#endif\n#include "../oneapi/tbb/x.h"\n'})
        self.assertEqual(lint.guard_of("tbb_compat/include/oneapi/tbb/detail/_x.h"),
                         "FILCH_TBB_COMPAT_DETAIL_X_H_")

    def test_includes(self):
        self.expect({"tests/x.cc": '#include "filch/deque/x.h"\n#include <deque>\n'})
        self.expect({"tests/x.cc": '#include "deque/x.h"\n'}, "filch/deque/...")
        self.expect({"tests/x.cc": '#include "../../pool/x.h"\n'}, "filch/pool/...")

    def test_memory_orders(self):
        tagged = "b_.store(1, std::memory_order_release);  // E1: publishes.\n"
        self.expect_code(tagged)
        self.expect_code(tagged + "a_.load();\n", "deque/x.h:6: load does not name")
        self.expect_code(tagged + "p->store(1);\n", "store does not name")
        self.expect_code(tagged + "a_.exchange(1, std::memory_order_seq_cst);\n",
                         "exchange orders something")
        self.expect_code(tagged + "a_.fetch_add(\n    1,\n    std::memory_order_acquire);\n",
                         "fetch_add orders something")
        self.expect_code(tagged + "a_.load(std::memory_order_relaxed);\n")
        self.expect_code(tagged + "a_.load(std::memory_order_acquire);  // C11 form\n",
                         "load orders something")

    def test_edges_of_long_statements(self):
        self.expect_code("while (a_.compare_exchange_weak(\n"
                         "    a, 1, std::memory_order_acquire,  // E1: sees it\n"
                         "    std::memory_order_relaxed)) {\n}\n")
        self.expect_code("// E1, E2: one of us.\na_.exchange(1, std::memory_order_acquire);\n")

    def test_operators_on_atomics(self):
        tagged = "// E1: a hint\nstd::atomic<int> count_{0};\n"
        for change in ("++count_;", "count_--;", "count_ += 2;", "count_ = 0;"):
            self.expect_code(tagged + change, "count_ changes")
        self.expect_code(tagged + "std::unique_ptr<std::atomic<int>[]> slots_;\nslots_ = {};\n"
                         "if (mycount_ == 1) {\n}\n")

    def test_what_is_not_text_is_left_out(self):
        self.assertEqual(lint.read(["tests/tools", "no/such/file"]), {})


if __name__ == "__main__":
    unittest.main()
