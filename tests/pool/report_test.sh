#!/bin/bash
# FILCH_STATS and FILCH_TRACE: a program that knows nothing of them writes valid
# JSON when it ends, even if it has changed its environment, and a file that cannot be
# written is a sentence, not a crash; nor is an idle mode that there is not.
set -euo pipefail
probe=tests/pool/report_probe
stats=$TEST_TMPDIR/stats.json trace=$TEST_TMPDIR/trace.json
[[ $(FILCH_STATS=$stats FILCH_TRACE=$trace "$probe") == done ]]
python3 - "$stats" "$trace" <<'PYTHON'
import json
import sys
stats, trace = (json.load(open(name, encoding="utf-8")) for name in sys.argv[1:])
assert stats["tasks"] == 10, stats
tasks = [event for event in trace["traceEvents"] if event["name"] == "task"]
assert len(tasks) == 10, trace
assert all(event["args"]["rule"] in ("own deque", "steal") for event in tasks), tasks
PYTHON
sentence=$(FILCH_TRACE=/nonexistent/trace.json "$probe" 2>&1 >/dev/null)
[[ $sentence == "filch: /nonexistent/trace.json cannot be written." ]]
sentence=$(FILCH_STATS=/dev/full "$probe" 2>&1 >/dev/null)
[[ $sentence == "filch: /dev/full cannot be written." ]]
[[ $(FILCH_STATS='' FILCH_TRACE='' "$probe" 2>&1) == done ]]
sentence=$(FILCH_IDLE=lazy "$probe" 2>&1 >/dev/null)
[[ $sentence == "filch: FILCH_IDLE is \"lazy\"; it may be power, balanced or latency." ]]
for mode in power balanced latency; do
  [[ $(FILCH_IDLE=$mode "$probe" 2>&1) == done ]]
done
