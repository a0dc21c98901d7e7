#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a program that is linked with MUMPS by itself and on Frond: run_with_test.sh FROND PROGRAM
set -euo pipefail
fail() { echo "$*"; exit 1; }
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT

"$2" 0 >/dev/null || fail "the program does not run on MUMPS"
code=0
output=$(timeout 60 "$1" run-with "$2" 7 2>"$errors") || code=$?
[ $code = 7 ] || fail "the exit code $code is not the program's: $(cat "$errors")"
[ "$output" = "version 5.5.1" ] || fail "standard output is not the program's: $output"
# kind, order, entries, analyses, factorizations, solves, failures
grep -Eq '^frond: +d +2 +3 +1 +2 +2 +0 ' "$errors" || fail "the calls are not these: $(cat "$errors")"
grep -Eq '^frond: +d +1 +1 +1 +1 +0 +0 ' "$errors" || fail "the calls of a static object are not these: $(cat "$errors")"
grep -Eq '^frond: +z +1 +1 +1 +1 +1 +0 ' "$errors" || fail "the complex calls are not these: $(cat "$errors")"

"$1" run-with true 2>"$errors" || fail "true fails"
grep -q 'made no call' "$errors" || fail "true has called MUMPS: $(cat "$errors")"
code=0
"$1" run-with /nowhere/program 2>"$errors" || code=$?
[ $code = 127 ] && grep -q '/nowhere/program cannot be run' "$errors" || fail "a missing program ends with $code: $(cat "$errors")"
code=0
"$1" run-with 2>"$errors" || code=$?
[ $code = 2 ] && grep -q 'no program to run' "$errors" || fail "no program ends with $code: $(cat "$errors")"

# A folder of libraries, and not the working one, which an empty entry stands for.
path=$(LD_LIBRARY_PATH='' "$1" run-with printenv LD_LIBRARY_PATH 2>/dev/null)
[[ $path == /* && $path != *: ]] || fail "the path of libraries is '$path'"

# Ctrl-C is for the program; what it did is reported.
code=0
timeout 60 "$1" run-with sh -c 'kill -INT $PPID; exit 5' 2>"$errors" || code=$?
[ $code = 5 ] && grep -q 'made no call' "$errors" || fail "an interrupt ends it with $code: $(cat "$errors")"
