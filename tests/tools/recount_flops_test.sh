#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Tests the flops and entries that frond tells against those that tools/scripts/recount_flops.py counts from the matrix and the ordering alone:
# recount_flops_test.sh FROND
set -uo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/scripts/checks.sh"
frond=$1
command -v python3 >/dev/null || { echo 'SKIPPED: python3 is not installed'; exit 77; }

# number KEY FILE: the number that JSON has for the key.
number() { grep -o "\"$1\": *[0-9.e+]*" "$2" | head -1 | grep -o '[0-9.e+]*$'; }

orderings=(dissection metis amd) most=${FROND_ALL_TESTS:+3}
for problem in 'laplacian3d7 12' 'laplacian2d9 40' 'elasticity3d 6' 'elasticity3d 3' 'kkt3d 7' 'convection3d 10' 'circuit 2000'; do
  orderings=("${orderings[@]:1}" "${orderings[0]}")
  for ordering in "${orderings[@]:0:${most:-1}}"; do
    # shellcheck disable=SC2086 # a name and a size
    "$frond" generate $problem -o "$scratch/A.mtx" >/dev/null || fail "no matrix: $problem"
    "$frond" solve "$scratch/A.mtx" --ordering $ordering --keep-zeros --write-ordering "$scratch/order" --json "$scratch/solve.json" >/dev/null ||
      fail "not solved: $problem"
    "$root/tools/scripts/recount_flops.py" "$scratch/A.mtx" "$scratch/order" --keep-zeros >"$scratch/recount.json" ||
      fail "not counted: $problem"
    kind=symmetric
    grep -q '"method": *"lu"' "$scratch/solve.json" && kind=lu
    for pair in "exact_factor_entries ${kind}_entries" "elimination_flops ${kind}_flops"; do
      told=$(number "${pair% *}" "$scratch/solve.json")
      counted=$(number "${pair#* }" "$scratch/recount.json")
      [ -n "$counted" ] && [ "${told%.0}" = "$counted" ] || fail "$problem, $ordering: ${pair% *} $told, counted $counted"
    done
  done
done

# Two grids that have no diagonal, coupled one to one: LDLT keeps pairs together, LU permutes rows.
python3 - "$scratch/A.mtx" <<'EOF' || fail 'no matrix: coupled grids'
import sys

n = 24
entries = []
for i in range(n):
    for j in range(n):
        k = n * i + j + 1
        entries += [(k, k, 4)] + [(k, m, -1) for m in (k - n if i else 0, k - 1 if j else 0) if m]
        entries += [(m, k, -1) for m in (k - n if i else 0, k - 1 if j else 0) if m]
with open(sys.argv[1], "w", encoding="ascii") as file:
    print("%%MatrixMarket matrix coordinate real symmetric", file=file)
    print(2 * n * n, 2 * n * n, len(entries), file=file)
    for row, column, value in entries:
        print(n * n + row, column, value, file=file)
EOF
for method in ldlt lu; do
  for matching in always never; do
    what="coupled grids, $method, matching: $matching"
    "$frond" solve "$scratch/A.mtx" --method $method --set matching=$matching --write-ordering "$scratch/order" \
      --json "$scratch/solve.json" >/dev/null || fail "not solved: $what"
    "$root/tools/scripts/recount_flops.py" "$scratch/A.mtx" "$scratch/order" >"$scratch/recount.json" || fail "not counted: $what"
    kind=symmetric
    [ $method = lu ] && kind=lu
    for pair in "exact_factor_entries ${kind}_entries" "elimination_flops ${kind}_flops"; do
      told=$(number "${pair% *}" "$scratch/solve.json")
      counted=$(number "${pair#* }" "$scratch/recount.json")
      [ -n "$counted" ] && [ "${told%.0}" = "$counted" ] || fail "$what: ${pair% *} $told, counted $counted"
    done
    # The file leads to the same factors again.
    "$frond" solve "$scratch/A.mtx" --method $method --ordering "$scratch/order" --json "$scratch/again.json" >/dev/null ||
      fail "not solved with the ordering that was written: $what"
    [ "$(number elimination_flops "$scratch/again.json")" = "$(number elimination_flops "$scratch/solve.json")" ] ||
      fail "other flops with the ordering that was written: $what"
  done
done
grep -q ' ' "$scratch/order" && fail 'rows in an ordering without a matching'
exit $((failures > 0))
