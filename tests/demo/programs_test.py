"""Asks the demonstration's programs for answers and makes them fail.

usage: programs_test.py FOLDER RUNTIME
"""
import ctypes
import json
import os
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

FOLDER, RUNTIME = sys.argv[1:3]
LIBC = ctypes.CDLL(None)


def give_up_privileges():
    """Lets file permissions hold for root, too, in what is executed next."""
    PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 24, 1, 2
    for capability in (CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH):
        # Fails without the right to, and then there is nothing to give up.
        LIBC.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)


def run(program, *arguments):
    # The limit turns a program that hangs into a failure with a name.
    path = os.path.join(FOLDER, "%s_%s" % (program, RUNTIME))
    return subprocess.run([path, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=120, check=False,
                          preexec_fn=give_up_privileges)


class ProgramsTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = os.path.realpath(folder.name)

    def result(self, program, *arguments):
        done = run(program, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def write(self, name, content):
        path = os.path.join(os.fsencode(self.tree), os.fsencode(name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
        return os.fsdecode(path)

    def index(self, *arguments):
        """The details, which must not depend on how they were found."""
        serial = self.result("tree_index", "--serial", *arguments)
        for threads in ("1", "2", "5"):
            parallel = self.result("tree_index", "--threads", threads, *arguments)
            self.assertEqual(parallel["answer"], serial["answer"])
            self.assertEqual(parallel["details"], serial["details"])
        return serial["details"]

    def test_parallel_answers_are_the_serial_ones(self):
        cases = [(("queens", "--size", str(n)), "%d ways to place %d queens" % (ways, n))
                 for n, ways in ((1, 1), (2, 0), (3, 0), (6, 4), (9, 352))]
        cases += [(("fib", "--style", style, "--size", str(n)), "fib(%d) = %d" % (n, value))
                  for style in ("invoke", "group") for n, value in ((0, 0), (1, 1), (20, 6765))]
        for command, answer in cases:
            for more in (["--serial"], [], ["--threads", "1"], ["--threads", "2", "--repeat", "3"],
                         ["--threads", "9"]):
                with self.subTest(command=command, more=more):
                    result = self.result(*command, *more)
                    self.assertEqual(result["answer"], answer)
                    self.assertEqual(result["mode"], "serial" if "--serial" in more else "parallel")
                    self.assertGreaterEqual(result["seconds"], 0)
                    self.assertEqual(len(result["all_seconds"]), 3 if "--repeat" in more else 1)
                    if "--serial" in more:
                        self.assertEqual(result["threads"], 1)
                    elif "--threads" in more:
                        self.assertEqual(result["threads"], int(more[1]))

    def test_picture_is_a_png_that_does_not_depend_on_threads(self):
        size = ["--width", "61", "--height", "35"]
        pictures, answers = [], []
        for more in (["--serial"], [], ["--threads", "3"]):
            file = os.path.join(self.tree, "picture.png")
            answers.append(self.result("picture", *size, *more, "--picture", file)["answer"])
            with open(file, "rb") as content:
                pictures.append(content.read())
        self.assertEqual(pictures[1:], pictures[:1] * 2)
        self.assertEqual(answers[1:], answers[:1] * 2)

        chunks, at = {}, 8
        self.assertEqual(pictures[0][:at], b"\x89PNG\r\n\x1a\n")
        while at < len(pictures[0]):
            length, name = struct.unpack(">I4s", pictures[0][at:at + 8])
            data = pictures[0][at + 8:at + 8 + length]
            checksum, = struct.unpack(">I", pictures[0][at + 8 + length:at + 12 + length])
            self.assertEqual(checksum, zlib.crc32(name + data))
            chunks[name] = data
            at += 12 + length
        self.assertEqual(list(chunks), [b"IHDR", b"IDAT", b"IEND"])
        self.assertEqual(struct.unpack(">II5B", chunks[b"IHDR"]), (61, 35, 8, 2, 0, 0, 0))
        rows = zlib.decompress(chunks[b"IDAT"])
        self.assertEqual(len(rows), (1 + 3 * 61) * 35)
        self.assertGreater(len(set(rows)), 100)  # there is something to see

    def test_bad_arguments_exit_with_two_and_a_usage_line(self):
        for program, *arguments in (
                ("fib", "--size", "x"), ("fib", "--size", "-1"), ("fib", "--style", "odd"),
                ("fib", "extra"), ("queens", "--size", "0"), ("queens", "--size", "21"),
                ("queens", "--threads", "0"), ("queens", "--repeat"), ("picture", "--width", "0"),
                ("picture", "--nonsense"), ("tree_index", "--top", ""), ("tree_index", "--json")):
            with self.subTest(program=program, arguments=arguments):
                done = run(program, *arguments)
                self.assertEqual(done.returncode, 2)
                self.assertRegex(done.stderr, rb"\nusage: %s \[" % program.encode())
                self.assertEqual(done.stdout, b"")

    def test_help_is_no_error(self):
        for program in ("fib", "queens", "picture", "tree_index"):
            done = run(program, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertRegex(done.stdout, rb"^usage: %s \[" % program.encode())

    def test_a_result_that_cannot_be_written_is_an_error(self):
        for program, *arguments in (("fib", "--size", "3"), ("tree_index", self.tree)):
            done = run(program, "--json", "/dev/null/result.json", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"cannot be written to /dev/null/result.json", done.stderr)
        done = run("picture", "--width", "2", "--height", "2", "--picture", "/dev/null/p.png")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"The picture cannot be written to /dev/null/p.png", done.stderr)

    def test_json_goes_to_the_file_that_was_asked_for(self):
        file = os.path.join(self.tree, "result.json")
        done = run("fib", "--size", "5", "--progress", "--json", file)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        with open(file, encoding="utf-8") as content:
            self.assertEqual(json.load(content)["answer"], "fib(5) = 5")

    def test_index_counts_words(self):
        self.write("a.txt", b"The cat, the DOG.\nThe_cat 42 4x x4 \xc3\xa9t\xc3\xa9\n")
        self.write("deep/er/b.txt", b"dog\ndog the")
        self.write("deep/empty", b"")
        details = self.index("--top", "3", self.tree)
        self.assertEqual(details["top"], [{"word": "dog", "count": 3}, {"word": "the", "count": 3},
                                          {"word": "cat", "count": 1}])
        self.assertEqual((details["words"], details["distinct_words"]), (10, 6))
        self.assertEqual((details["directories"], details["files"], details["empty_files"]),
                         (3, 2, 1))
        self.assertEqual((details["lines"], details["bytes"]), (3, 52))
        self.assertEqual(details["notes"], [])

    def test_index_of_many_files(self):
        for i in range(300):
            self.write("%d/%d" % (i % 17, i), b"all %s w%d\n" % (b"some " * (i % 3), i))
        details = self.index("--top", "2", self.tree)
        self.assertEqual(details["top"], [{"word": "all", "count": 300},
                                          {"word": "some", "count": 300}])
        self.assertEqual((details["files"], details["distinct_words"]), (300, 302))

    def test_index_says_what_it_left_out(self):
        self.write("text", b"word")
        self.write("binary", b"wo\0rd")
        self.write("large", b"x" * (2 ** 20 + 1))
        os.symlink(self.tree, os.path.join(self.tree, "loop"))
        os.symlink("itself", os.path.join(self.tree, "itself"))
        os.mkfifo(os.path.join(self.tree, "pipe"))
        details = self.index("--largest", "1", self.tree)
        self.assertEqual(details["files"], 1)
        self.assertEqual(details["notes"], [
            "1 binary files were skipped (the first: %s/binary)." % self.tree,
            "1 files are over the size limit and were skipped (the first: %s/large)." % self.tree,
            "1 sockets, pipes or devices were skipped (the first: %s/pipe)." % self.tree,
            "2 symbolic links were not followed (the first: %s/itself)." % self.tree,
        ])

    def test_index_names_what_it_cannot_read(self):
        self.write("text", b"word")
        os.chmod(self.write("secret", b"word"), 0)
        os.chmod(os.path.dirname(self.write("shut/inner", b"word")), 0)
        self.addCleanup(os.chmod, os.path.join(self.tree, "shut"), 0o700)
        details = self.index(self.tree)
        self.assertEqual((details["files"], details["unreadable"]), (1, 2))
        self.assertEqual(details["notes"], ["2 files or directories could not be read (the first: "
                                            "%s/shut: Permission denied)." % self.tree])

    def test_index_of_nothing(self):
        details = self.index(self.tree)
        self.assertEqual((details["files"], details["words"], details["top"]), (0, 0, []))
        self.assertEqual(details["notes"], ["There is no text to index."])

    def test_index_without_any_usable_directory(self):
        file = self.write("file", b"word")
        loop = os.path.join(self.tree, "loop")
        os.symlink("loop", loop)
        for directory, sentence in (
                (self.tree + "/gone", "There is no directory %s/gone." % self.tree),
                (file, "%s is not a directory." % file),
                (loop, "The directory %s cannot be opened: Too many levels of symbolic links."
                 % loop)):
            for more in ([], ["--serial"]):
                done = run("tree_index", *more, directory)
                self.assertEqual(done.returncode, 1)
                self.assertEqual(done.stderr.decode(), "tree_index: %s\n" % sentence)
                self.assertEqual(done.stdout, b"")

    def test_index_goes_on_with_the_usable_directories(self):
        self.write("in/word", b"word")
        inner = os.path.join(self.tree, "in")
        details = self.index(inner, self.tree, self.tree + "/gone", self.tree)
        self.assertEqual(details["files"], 1)
        self.assertEqual(details["notes"], [
            "There is no directory %s/gone." % self.tree,
            "%s lies inside %s and is read only once." % (self.tree, self.tree),
            "%s lies inside %s and is read only once." % (inner, self.tree),
        ])

    def test_index_survives_any_name_and_any_bytes(self):
        self.write(b"latin\xe9", b"caf\xe9 \xff\xfe")
        self.write(b"-dash", b"caf\xe9")
        self.write(b"new\nline\0".rstrip(b"\0"), b"a\0")
        details = self.index(self.tree)
        self.assertEqual(details["top"][0], {"word": "caf\ufffd", "count": 2})
        self.assertEqual(details["binary_files"], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
