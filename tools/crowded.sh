#!/bin/bash
# crowded.sh PROGRAM ARGUMENT...: runs the program with eight threads a cpu in every pool
# whose maker does not say how many.
set -euo pipefail
FILCH_NUM_THREADS=$((8 * $(nproc))) exec "$@"
