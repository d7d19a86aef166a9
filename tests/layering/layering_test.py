"""The arrows of the architecture hold; each check also finds what it is for."""
import sys
import unittest

sys.path.insert(0, "tests/layering")
from layering import (  # pylint: disable=wrong-import-position
    Library, check_alone, check_arrows, check_complete, check_includes, conventional, includes_in,
    layer_of, libraries_in, read_code, read_graph)

_PLATFORM = ["//topology:cache_line", "//topology:catch_all", "//topology:contract",
             "//topology:cpu_relax", "//topology:forced_inline", "//topology:std_atomics"]

# A layer may depend on itself and on what stands here, directly; on nothing else.
ARROWS = {
    "topology": ["@com_google_absl", "@hwloc"],
    "deque": [*_PLATFORM, "@com_google_absl"],
    "partitioner": [*_PLATFORM, "//topology:futex", "@com_google_absl"],
    "pool": ["deque", "topology", "//partitioner:batch_size", "//partitioner:stealing_range",
             "//partitioner:unit_interval", "@com_google_absl"],
    "tbb_compat": ["pool", "partitioner", "topology"],
}


class LayersTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        with open("tests/layering/graph.xml", encoding="utf-8") as text:
            cls.graph = read_graph(text.read())
        cls.code = read_code(
            file for label, library in cls.graph.items() if layer_of(label)[0] != "@"
            for file in library.headers + library.sources)

    def test_every_library_is_looked_at(self):
        for layer in ARROWS:
            with open(layer + "/BUILD.bazel", encoding="utf-8") as text:
                labels = libraries_in(text.read(), layer)
            self.assertTrue(labels, layer)
            self.assertEqual(check_complete(self.graph, labels), [])

    def test_arrows_point_down(self):
        layers = {layer_of(label) for label in self.graph if label[0] != "@"}
        self.assertEqual(layers, set(ARROWS))
        self.assertEqual(check_arrows(self.graph, ARROWS), [])

    def test_includes_point_where_the_dependencies_do(self):
        self.assertGreater(sum(len(includes_in(text)) for text in self.code.values()), 100)
        self.assertEqual(check_includes(self.graph, self.code), [])

    def test_a_deque_alone_brings_neither_hwloc_nor_threads(self):
        for target in ("chase_lev_deque", "locked_deque", "sharded_fifo", "split_deque"):
            self.assertEqual(check_alone(self.graph, "//deque:" + target,
                                         {"deque", "topology", "@com_google_absl"},
                                         self.code), [])

    def test_the_pool_does_bring_threads(self):
        # So that the test above is known to look at the right things.
        wrong = check_alone(self.graph, "//pool:pool",
                            {"deque", "pool", "topology", "@com_google_absl"}, self.code)
        self.assertIn("//pool:pool links with -pthread.", wrong)
        self.assertTrue([sentence for sentence in wrong if "starts threads" in sentence])


class ChecksTest(unittest.TestCase):
    """Small worlds with something wrong in them."""

    def setUp(self):
        self.graph = {
            "//deque:ring": Library(deps=["//topology:fence"], headers=["deque/ring.h"]),
            "//pool:pool": Library(deps=["//deque:ring"], headers=["pool/pool.h"],
                                   sources=["pool/pool.cc"]),
            "//topology:fence": Library(headers=["topology/fence.h"]),
            "@hwloc//:hwloc": Library(linkopts=["-lhwloc"]),
        }
        self.code = {"deque/ring.h": '#include <atomic>\n#include "filch/topology/fence.h"\n',
                     "pool/pool.h": '#include "filch/deque/ring.h"\n',
                     "pool/pool.cc": '#include "filch/pool/pool.h"\nstd::thread worker;\n',
                     "topology/fence.h": "std::this_thread::yield();\n"}

    def arrows(self):
        return check_arrows(self.graph, {"deque": ["//topology:fence"], "pool": ["deque"],
                                         "topology": ["@hwloc"]})

    def alone(self):
        return check_alone(self.graph, "//deque:ring", {"deque", "topology"}, self.code)

    def includes_of(self):
        return check_includes(self.graph, self.code)

    def test_a_sound_world_is_sound(self):
        self.assertEqual(self.arrows() + self.alone() + self.includes_of(), [])

    def test_upward_and_sideward_arrows_are_found(self):
        for label, dep in (("//topology:fence", "//deque:ring"), ("//deque:ring", "//pool:pool"),
                           ("//deque:ring", "//topology:machine"), ("//pool:pool", "//tests:x"),
                           ("//pool:pool", "@hwloc//:hwloc"), ("//deque:ring", "//tools:bench")):
            self.setUp()
            self.graph[label].deps.append(dep)
            self.assertEqual(self.arrows(), ["%s must not depend on %s." % (label, dep)])

    def test_what_comes_in_through_others_is_found(self):
        self.graph["//topology:fence"].deps.append("@hwloc//:hwloc")
        self.assertEqual(self.alone(), ["//deque:ring brings in @hwloc//:hwloc."])

    def test_threads_are_found(self):
        self.graph["//topology:fence"].linkopts.append("-pthread")
        self.code["deque/ring.h"] += "std::thread thief;\n"
        self.assertEqual(self.alone(), ["deque/ring.h starts threads: std::thread.",
                                        "//topology:fence links with -pthread."])

    def test_undeclared_includes_are_found(self):
        for spelling in ('"filch/topology/fence.h"', "<filch/deque/ring.h>", '"pool.h"',
                         '"deque/ring.h"', '"tests/x.h"', '"tools/x.h"', '"filch/pool/x.h"',
                         '"absl/status/status.h"', "<hwloc.h>", "<mimalloc.h>",
                         "<tbb/task.h>"):
            self.setUp()
            self.code["pool/pool.cc"] += "  # include %s  // why\n" % spelling
            self.assertEqual(len(self.includes_of()), 1, spelling)

    def test_unlisted_libraries_are_found(self):
        labels = libraries_in('filch_cc_library(\n    name = "ring",\n)\n'
                              'cc_library(\n    name = "new",\n)\n', "deque")
        self.assertEqual(labels, ["//deque:ring", "//deque:new"])
        self.assertEqual(len(check_complete(self.graph, labels)), 1)

    def test_a_query_is_read(self):
        graph = read_graph("""<query><rule class="cc_library" name="//pool:pool">
            <list name="deps"><label value="//deque:ring"/></list>
            <list name="hdrs"><label value="//pool:sub/pool.h"/></list>
            <list name="linkopts"><string value="-pthread"/></list>
            </rule><rule class="genrule" name="//pool:x"/></query>""")
        self.assertEqual(graph, {"//pool:pool": Library(
            deps=["//deque:ring"], headers=["pool/sub/pool.h"], linkopts=["-pthread"])})

    def test_labels_of_modules_are_understood(self):
        for label, expected in (
                ("//deque:ring", "//deque:ring"), ("@//deque:ring", "//deque:ring"),
                ("@@//deque:ring", "//deque:ring"), ("@hwloc//:hwloc", "@hwloc//:hwloc"),
                ("@@abseil-cpp~//absl/base", "@com_google_absl//absl/base"),
                ("@@abseil-cpp+//absl/base", "@com_google_absl//absl/base"),
                ("@@_main~system_libraries~hwloc//:hwloc", "@hwloc//:hwloc")):
            self.assertEqual(conventional(label), expected)


if __name__ == "__main__":
    unittest.main()
