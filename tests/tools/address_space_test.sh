#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests frond under limits of address space: address_space_test.sh FROND. Whatever the limit, it solves or says that memory is short,
# and it ends. Below some 150 MB OpenBLAS ends the process when it is loaded.
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
frond=$1

"$frond" generate elasticity3d 6 -o "$scratch/A.mtx" >/dev/null || fail 'no matrix'
solved=0
refused=0
for threads in 1 2 4; do
  for kilobytes in $(seq 200000 50000 900000) 100000000; do
    output=$(ulimit -v "$kilobytes" && timeout 20 "$frond" solve "$scratch/A.mtx" --threads "$threads" 2>&1)
    code=$?
    case $code in
      0) solved=$((solved + 1)) ;;
      4) refused=$((refused + 1)) ;;
      *) fail "$threads threads within $kilobytes kB: exit code $code"$'\n'"$output" ;;
    esac
  done
done
# The limit that holds is named, and refuses a problem that does not fit below it; with many cores OpenBLAS takes all of it first.
for kind in v d; do
  output=$(ulimit -$kind 2000000 && "$frond" analyze "$scratch/A.mtx" --threads 1 2>&1)
  grep -q "^memory limit .* ulimit -$kind, " <<<"$output" || fail "ulimit -$kind is not the memory limit:"$'\n'"$output"
done
"$frond" generate laplacian3d7 60 -o "$scratch/L.mtx" >/dev/null || fail 'no matrix'
output=$(ulimit -v 1000000 && timeout 60 "$frond" solve "$scratch/L.mtx" --threads 1 2>&1)
code=$?
[ $code = 4 ] || fail "exit code $code"$'\n'"$output"
grep -q "address space (RLIMIT_AS, ulimit -v, .* leaves only\|OpenBLAS needs" <<<"$output" || fail "another refusal:"$'\n'"$output"
((solved > 0)) || fail 'no limit was large enough'
((refused > 0)) || fail 'no limit was too small'
exit $((failures > 0))
