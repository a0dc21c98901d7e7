#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the flops and entries that frond tells against those that tools/recount_flops.py counts from the matrix and the ordering alone:
# recount_flops_test.sh FROND
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
frond=$1
command -v python3 >/dev/null || { echo 'SKIPPED: python3 is not installed'; exit 77; }

# number KEY FILE: the number that JSON has for the key.
number() { grep -o "\"$1\": *[0-9.e+]*" "$2" | head -1 | grep -o '[0-9.e+]*$'; }

for problem in 'laplacian3d7 12' 'laplacian2d9 40' 'elasticity3d 6' 'kkt3d 7' 'convection3d 10' 'circuit 2000'; do
  for ordering in dissection metis amd; do
    # shellcheck disable=SC2086 # a name and a size
    "$frond" generate $problem -o "$scratch/A.mtx" >/dev/null || fail "no matrix: $problem"
    "$frond" solve "$scratch/A.mtx" --ordering $ordering --write-ordering "$scratch/order" --json "$scratch/solve.json" >/dev/null ||
      fail "not solved: $problem"
    "$root/tools/recount_flops.py" "$scratch/A.mtx" "$scratch/order" >"$scratch/recount.json" || fail "not counted: $problem"
    kind=symmetric
    grep -q '"method": *"lu"' "$scratch/solve.json" && kind=lu
    for pair in "exact_factor_entries ${kind}_entries" "elimination_flops ${kind}_flops"; do
      told=$(number "${pair% *}" "$scratch/solve.json")
      counted=$(number "${pair#* }" "$scratch/recount.json")
      [ -n "$counted" ] && [ "${told%.0}" = "$counted" ] || fail "$problem, $ordering: ${pair% *} $told, counted $counted"
    done
  done
done
exit $((failures > 0))
