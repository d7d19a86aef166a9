#!/bin/bash
# Stands for every program of the demonstration: reports a result at once.
#
# FAKE_WRONG names a runtime whose answers are wrong, FAKE_CRASH one that ends
# with a signal, FAKE_HANG one that never ends and tells its process number to
# the pipe FAKE_PIPE.
runtime=${0##*_} answer=42
while (($# > 0)); do
  case $1 in
    --json) json=$2 && shift ;;
    --picture) echo picture >"$2" && shift ;;
    --serial) runtime=serial ;;
    --) break ;;
  esac
  shift
done
[[ $runtime == "${FAKE_CRASH-}" ]] && kill -SEGV $$
if [[ $runtime == "${FAKE_HANG-}" ]]; then
  echo $$ >"$FAKE_PIPE"
  exec tail -f /dev/null
fi
[[ $runtime == "${FAKE_WRONG-}" ]] && answer=43
[[ $runtime == filch ]] && echo '{"tasks": 7, "steals": 1, "parks": 2, "workers": 2}' >"$FILCH_STATS"
cat >"$json" <<END
{"workload": "fake", "seconds": 0.25, "threads": 2, "answer": "$answer",
 "details": {"directories": 1, "files": 1, "bytes": 1, "lines": 1, "words": 1, "distinct_words": 1,
             "top": [{"word": "fake", "count": 1}], "notes": []}}
END
