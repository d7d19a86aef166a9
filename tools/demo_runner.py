"""Runs one program of the demonstration and shows that something happens."""
import json
import os
import re
import signal
import subprocess
import threading
import time

# A run that takes longer than this hangs; the longest one of the defaults takes
# seconds.
LONGEST_RUN_SECONDS = 900
# Between two lines where they cannot overwrite each other.
SECONDS_BETWEEN_LINES = 5
# What ends the demonstration in good order.
INTERRUPTING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Failure(Exception):
    """Ends the demonstration; the text is a sentence for the user."""


class Status:
    """One line that changes on a terminal, an occasional line elsewhere."""

    def __init__(self, stream):
        self._stream = stream
        self._begin = time.monotonic()
        self._terminal = stream.isatty()
        self._next_line = self._begin
        self._shown = False
        self.label = ""  # the part of the demonstration

    def show(self, text):
        now = time.monotonic()
        line = "filch: %s (%d s in all)" % (", ".join(filter(None, (self.label, text))),
                                            now - self._begin)
        if self._terminal:
            # To the beginning of the line, and clear it.
            self._stream.write("\r\x1b[K" + line[:_width(self._stream) - 1])
            self._shown = True
        elif now >= self._next_line:
            self._stream.write(line + "\n")
            self._next_line = now + SECONDS_BETWEEN_LINES
        self._stream.flush()

    def clear(self):
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = False


def _width(stream):
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


def progress_of(line):
    """The short form of a program's progress line, or None for other lines."""
    match = re.fullmatch(r"\w+: (?:\d+ of \d+ .*\((\d+ %)\)|(.*, \d+ s))", line.strip())
    return match and (match[1] or match[2])


def run_program(command, title, scratch, status):
    """The result that the program reports, with filch's counters as "stats"."""
    result_file = os.path.join(scratch, "result.json")
    stats_file = os.path.join(scratch, "stats.json")
    for file in (result_file, stats_file):
        if os.path.exists(file):
            os.remove(file)
    command = [command[0], "--json", result_file] + command[1:]
    status.show(title)
    hangs = threading.Event()
    last_words = ""
    # A signal waits until there is a child to end with us.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, INTERRUPTING)
    child = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        text=True, errors="replace", env={**os.environ, "FILCH_STATS": stats_file},
        preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before))
    limit = threading.Timer(LONGEST_RUN_SECONDS, lambda: (hangs.set(), child.kill()))
    try:
        limit.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for line in child.stderr:
            progress = progress_of(line)
            if progress:
                status.show("%s: %s" % (title, progress))
            else:
                last_words = line.strip() or last_words
        child.wait()
    finally:
        limit.cancel()
        child.kill()
        child.wait()
        child.stderr.close()
    if hangs.is_set():
        raise Failure("%s did not end within %d s." % (title, LONGEST_RUN_SECONDS))
    if child.returncode != 0:
        how = ("signal %d" % -child.returncode if child.returncode < 0
               else "status %d" % child.returncode)
        raise Failure("%s ended with %s%s" % (title, how, ": " + last_words if last_words else "."))
    result = _read(result_file)
    if not isinstance(result, dict) or not {"seconds", "answer", "threads"} <= result.keys():
        raise Failure("%s reported no result." % title)
    stats = _read(stats_file)
    if isinstance(stats, dict):
        result["stats"] = stats
    return result


def _read(file):
    """What the JSON file holds, or None if it is missing or no JSON."""
    try:
        with open(file, encoding="utf-8") as text:
            return json.load(text)
    except (OSError, ValueError):
        return None
